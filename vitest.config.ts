import { defineConfig } from 'vitest/config';

/** Vite would take the ES modules of graphql, Node takes the others for Yoga: two kinds of GraphQLError in one process. */
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] };

/** A project per kind of test, fastest first. None extends the root: each would start a Redis of its own. */
const project = (name: string, timeoutMs = 20_000) => ({
  resolve,
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout: timeoutMs, hookTimeout: 60_000 },
});

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    projects: [
      project('unit'),
      project('contract'),
      project('property', 120_000),
      project('integration', 60_000),
      // These need more than Node and Redis, and run by commands of their own.
      project('browser', 90_000),
      project('postgres', 60_000),
    ],
  },
});
