/** The recipe of the documentations: Yoga, createPubSub, graphql-ws, a DataLoader per operation, a sorted set. */
import { createServer } from 'node:http';
import DataLoader from 'dataloader';
import type { ExecutionArgs } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { createPubSub, createSchema, createYoga } from 'graphql-yoga';
import { Redis } from 'ioredis';
import { WebSocketServer } from 'ws';

const [redisUrl = '', port = ''] = process.argv.slice(2);
const redis = new Redis(redisUrl);
const pubSub = createPubSub<{ changed: [null] }>();

interface Context {
  profiles: DataLoader<string, Record<string, string>>;
}

const profilesOf = async (ids: readonly string[]) => {
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.hgetall(`profile:${id}`);
  return ((await pipeline.exec()) ?? []).map(([, fields]) => fields as Record<string, string>);
};

async function top() {
  const flat = await redis.zrange('stock', '0', '9', 'REV', 'WITHSCORES');
  const entries = flat.flatMap((memberId, i) =>
    i % 2 === 0 ? [{ memberId, score: Number(flat[i + 1]), rank: i / 2 + 1 }] : [],
  );
  return { version: await redis.incrby('stock-version', 0), entries };
}

const schema = createSchema<Context>({
  typeDefs: `
    type Query { ok: Boolean }
    type Mutation { submit(memberId: String!, score: Float!): Boolean }
    type Member { displayName: String avatarUrl: String }
    type Entry { memberId: String! rank: Int! score: Float! member: Member! }
    type Update { version: Int! entries: [Entry!]! }
    type Subscription { entriesChanged: Update! }
  `,
  resolvers: {
    Mutation: {
      submit: async (_, { memberId, score }) => {
        await redis.pipeline().zadd('stock', score, memberId).incr('stock-version').exec();
        pubSub.publish('changed', null);
        return true;
      },
    },
    Subscription: { entriesChanged: { subscribe: () => pubSub.subscribe('changed'), resolve: top } },
    Entry: { member: ({ memberId }, _, { profiles }) => profiles.load(memberId) },
  },
});

const yoga = createYoga<object, Context>({
  schema,
  logging: false,
  // Without its cache: a loader that lives as long as the operation would show old profiles for ever.
  context: () => ({ profiles: new DataLoader(profilesOf, { cache: false }) }),
});
const server = createServer(yoga);
const sockets = new WebSocketServer({ server, path: '/graphql' });
useServer(
  {
    execute: (args) =>
      (args as unknown as { rootValue: { execute: (args: unknown) => never } }).rootValue.execute(args),
    subscribe: (args) =>
      (args as unknown as { rootValue: { subscribe: (args: unknown) => never } }).rootValue.subscribe(args),
    onSubscribe: async (context, _id, params) => {
      const { schema, execute, subscribe, contextFactory, parse, validate } = yoga.getEnveloped({
        ...context,
        req: context.extra.request,
        socket: context.extra.socket,
        params,
      } as never);
      const args: ExecutionArgs = {
        schema,
        operationName: params.operationName,
        document: parse(params.query),
        variableValues: params.variables,
        contextValue: await contextFactory(),
        rootValue: { execute, subscribe },
      };
      const errors = validate(args.schema, args.document);
      return errors.length > 0 ? errors : args;
    },
  },
  sockets,
);
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
