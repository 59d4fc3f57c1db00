import { LaurelError } from './errors.ts';
import { limits } from './limits.ts';
import { checkJson, checkText } from './text.ts';

/** How a member looks to people. It lives beside the ranking and is joined when an entry is read. */
export interface Profile {
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly attributes: Readonly<Record<string, unknown>> | null;
}

export const emptyProfile: Profile = { displayName: null, avatarUrl: null, attributes: null };

/** A member id is opaque: 1 to 128 bytes of UTF-8, no control characters, no lone surrogates. */
export const checkMemberId = (memberId: string): string =>
  checkText(memberId, 'A member id', limits.memberIdBytes, 'BAD_MEMBER_ID');

export function checkProfile(profile: Profile): Profile {
  if (profile.displayName !== null) checkText(profile.displayName, 'displayName', limits.displayNameBytes);
  if (profile.avatarUrl !== null) checkAvatarUrl(profile.avatarUrl);
  if (profile.attributes !== null) checkJson(profile.attributes, 'attributes', limits.attributesBytes);
  return profile;
}

/** Only web and inline images: front ends put this text into a page. */
function checkAvatarUrl(url: string): void {
  checkText(url, 'avatarUrl', limits.avatarUrlBytes);
  if (!/^(https?:\/\/|data:image\/)/i.test(url)) {
    throw new LaurelError('BAD_INPUT', 'avatarUrl must begin with https://, http:// or data:image/.');
  }
}
