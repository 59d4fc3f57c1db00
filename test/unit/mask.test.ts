import { GraphQLError, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { LaurelError } from '../../src/core/errors.ts';
import { maskError } from '../../src/graphql/mask.ts';

/** An error as graphql-js hands it over: located, around what a resolver threw. */
function located(cause: unknown): GraphQLError {
  const nodes = parse('{ a }').definitions;
  return new GraphQLError(String(cause), { nodes, path: ['a'], originalError: cause as Error });
}

function masked(error: unknown) {
  const logged: unknown[] = [];
  const shown = maskError(error, 'request-1', (cause) => logged.push(cause)).toJSON();
  return { shown, logged };
}

describe('what a caller sees of an error', () => {
  it('shows an expected error with code, details and place', () => {
    const { shown, logged } = masked(located(new LaurelError('BLOCK_CONFLICT', 'Other rows.', { appliedRows: 3 })));
    expect(shown).toEqual({
      message: 'Other rows.',
      path: ['a'],
      locations: [{ line: 1, column: 1 }],
      extensions: { code: 'BLOCK_CONFLICT', appliedRows: 3 },
    });
    expect(logged).toEqual([]);
  });

  it('keeps to itself what Redis said', () => {
    const reason = 'connect ENOENT /run/secret.sock';
    const { shown } = masked(located(new LaurelError('STORE_UNAVAILABLE', 'Not now.', { reason })));
    expect(shown.extensions).toEqual({ code: 'STORE_UNAVAILABLE' });
  });

  it.each([new Error('password=hunter2'), new TypeError('x is not a function'), 'a thrown text', null])(
    'masks what is unexpected, and hands it to the log: %s',
    (cause) => {
      const error = cause instanceof Error ? located(cause) : cause;
      const { shown, logged } = masked(error);
      expect(shown.extensions).toEqual({ code: 'INTERNAL', requestId: 'request-1' });
      expect(JSON.stringify(shown)).not.toMatch(/hunter2|not a function|thrown/);
      expect(logged).toEqual([cause]);
    },
  );

  it('unwraps an expected error however deep', () => {
    const { shown } = masked(located(located(new LaurelError('BAD_PAGE', 'No.'))));
    expect(shown.extensions).toEqual({ code: 'BAD_PAGE' });
  });

  it.each([
    ['no code', {}, { code: 'BAD_INPUT' }],
    ['a code of the engine', { code: 'BAD_REQUEST', originalError: { message: 'secret' } }, { code: 'BAD_INPUT' }],
    ['the code of a text that does not parse', { code: 'GRAPHQL_PARSE_FAILED' }, { code: 'GRAPHQL_PARSE_FAILED' }],
    ['a code of ours', { code: 'QUERY_TOO_COMPLEX', depth: 20 }, { code: 'QUERY_TOO_COMPLEX', depth: 20 }],
  ])('gives a mistake in the query a listed code: %s', (_, extensions, expected) => {
    const { shown, logged } = masked(new GraphQLError('The query is wrong.', { extensions }));
    expect(shown.message).toBe('The query is wrong.');
    expect(shown.extensions).toMatchObject(expected);
    expect(JSON.stringify(shown)).not.toContain('secret');
    expect(logged).toEqual([]);
  });

  it('says where, also of what a library threw in a resolver', () => {
    const { shown } = masked(located(new GraphQLError('Invalid global ID')));
    expect(shown).toMatchObject({
      path: ['a'],
      locations: [{ line: 1, column: 1 }],
      extensions: { code: 'BAD_INPUT' },
    });
  });
});
