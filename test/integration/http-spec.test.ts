import { auditServer } from 'graphql-http';
import { expect, it } from 'vitest';
import { startTestApp } from '../support/app.ts';

it('passes the GraphQL-over-HTTP audit in full, what is only recommended included', async () => {
  const { api } = await startTestApp();
  const results = await auditServer({ url: api.endpoint });
  const failed = results.filter(({ status }) => status !== 'ok');
  expect(failed.map(({ id, name, status }) => `${id} ${name}: ${status}`)).toEqual([]);
  expect(results.length).toBeGreaterThan(60);
});
