import { type ErrorCode, LaurelError } from './errors.ts';

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8: what the limits count. */
export const byteLength = (text: string): number => encoder.encode(text).length;

/** Refuses a text that is empty, over `maxBytes` of UTF-8, or holds control characters or lone surrogates. */
export function checkText(text: string, what: string, maxBytes: number, code: ErrorCode = 'BAD_INPUT'): string {
  const bytes = byteLength(text);
  if (bytes === 0) throw new LaurelError(code, `${what} must not be empty.`);
  if (bytes > maxBytes) throw new LaurelError(code, `${what} has ${bytes} bytes; at most ${maxBytes} are allowed.`);
  if (/\p{Cc}|\p{Cs}/u.test(text)) {
    throw new LaurelError(code, `${what} holds a control character or half of a surrogate pair.`);
  }
  return text;
}

/** Refuses an object whose JSON is over `maxBytes` of UTF-8, and returns that JSON. */
export function checkJson(value: Readonly<Record<string, unknown>>, what: string, maxBytes: number): string {
  const json = stringify(value, what);
  const bytes = byteLength(json);
  if (bytes > maxBytes) {
    throw new LaurelError('BAD_INPUT', `${what} has ${bytes} bytes as JSON; at most ${maxBytes} are allowed.`);
  }
  return json;
}

/** JSON of an object from outside; one nested too deeply for anybody to read is refused like any other bad value. */
function stringify(value: Readonly<Record<string, unknown>>, what: string): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new LaurelError('BAD_INPUT', `${what} is nested too deeply.`);
  }
}
