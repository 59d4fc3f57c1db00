import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ProfileEndpoint {
  readonly url: string;
  /** The member ids of each request so far. */
  readonly requests: string[][];
  /** What it says to one request; by default a name for everybody. */
  answer: (memberIds: string[], response: ServerResponse) => void;
}

export const sendProfiles = (response: ServerResponse, profiles: readonly unknown[]): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ profiles }));
};

/** An endpoint of a user's own, as PROFILE_URL names one. */
export async function startProfileEndpoint(): Promise<ProfileEndpoint> {
  const requests: string[][] = [];
  const server = createServer(async (request, response) => {
    const memberIds = await readIds(request);
    requests.push(memberIds);
    endpoint.answer(memberIds, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const endpoint: ProfileEndpoint = {
    url: `http://127.0.0.1:${port}/profiles`,
    requests,
    answer: (memberIds, response) =>
      sendProfiles(
        response,
        memberIds.map((memberId) => ({ memberId, displayName: `Name of ${memberId}` })),
      ),
  };
  return endpoint;
}

async function readIds(request: IncomingMessage): Promise<string[]> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return (JSON.parse(text) as { memberIds: string[] }).memberIds;
}
