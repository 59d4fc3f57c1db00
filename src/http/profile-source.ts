import { checkProfile, emptyProfile, type Profile } from '../core/member.ts';
import type { ProfileSource } from '../core/ports.ts';
import { isJsonObject } from './json-object.ts';

/** Member ids in one request to the endpoint. */
const idsPerRequest = 500;

/** Bytes of an answer that are read at the most. */
const answerBytes = 4 * 1024 * 1024;

/**
 * Profiles from an endpoint of the user's own: `POST {"memberIds": […]}` → `{"profiles": [{"memberId", "displayName",
 * "avatarUrl", "attributes"}, …]}`, in any order, those it knows. Whatever goes wrong, an entry has no name: a page
 * never fails for want of one.
 */
export class HttpProfiles implements ProfileSource {
  readonly #url: string;
  readonly #timeoutMs: number;
  readonly #failed: (reason: string) => void;

  constructor(url: string, timeoutMs: number, failed: (reason: string) => void) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
    this.#failed = failed;
  }

  async load(memberIds: readonly string[]): Promise<(Profile | null)[]> {
    const parts: Promise<Map<string, Profile>>[] = [];
    for (let i = 0; i < memberIds.length; i += idsPerRequest)
      parts.push(this.#ask(memberIds.slice(i, i + idsPerRequest)));
    const found = await Promise.all(parts);
    return memberIds.map((memberId, i) => found[Math.floor(i / idsPerRequest)]?.get(memberId) ?? null);
  }

  async #ask(memberIds: readonly string[]): Promise<Map<string, Profile>> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ memberIds }),
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`it answered with status ${response.status}`);
      }
      return readProfiles(JSON.parse(await readText(response)));
    } catch (error) {
      this.#failed(error instanceof Error ? error.message : String(error));
      return new Map();
    }
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytes) throw new Error(`its answer is over ${answerBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** What of an answer can be used: a profile with a field that Laurel would not store loses that field, not the others. */
function readProfiles(answer: unknown): Map<string, Profile> {
  const list = isJsonObject(answer) ? answer.profiles : null;
  if (!Array.isArray(list)) throw new Error('its answer has no list "profiles"');
  const profiles = new Map<string, Profile>();
  for (const item of list) {
    if (!isJsonObject(item) || typeof item.memberId !== 'string') continue;
    profiles.set(item.memberId, {
      displayName: usable('displayName', item.displayName),
      avatarUrl: usable('avatarUrl', item.avatarUrl),
      attributes: usable('attributes', item.attributes),
    });
  }
  return profiles;
}

function usable<F extends keyof Profile>(field: F, value: unknown): Profile[F] | null {
  if (field === 'attributes' ? !isJsonObject(value) : typeof value !== 'string') return null;
  try {
    return checkProfile({ ...emptyProfile, [field]: value })[field];
  } catch {
    return null;
  }
}
