import { createHash, timingSafeEqual } from 'node:crypto';
import { LaurelError } from '../core/errors.ts';
import type { Caller } from '../graphql/access.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Tells who calls by an `Authorization: Bearer …` value. None is anonymous; a wrong one is an error, not anonymous. */
export function makeAuthenticate(adminApiKey: string): (authorization: unknown) => Caller {
  const expected = digest(adminApiKey);
  return (authorization) => {
    if (authorization === undefined || authorization === null || authorization === '') return 'anonymous';
    const key = /^Bearer +(\S+)$/i.exec(String(authorization))?.[1];
    if (key && timingSafeEqual(digest(key), expected)) return 'admin';
    throw new LaurelError(
      'UNAUTHENTICATED',
      'This API key is not known; send "Authorization: Bearer <ADMIN_API_KEY>".',
    );
  };
}
