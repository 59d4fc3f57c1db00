/** No work but sending: what is posted goes to every open websocket. */
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const [port = ''] = process.argv.slice(2);
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  // Answered first, as the others do: whoever writes does not wait for everybody to be told.
  response.end('ok');
  setImmediate(() => {
    for (const client of sockets.clients) client.send(bytes, { binary: false });
  });
});
const sockets = new WebSocketServer({ server, path: '/graphql' });
sockets.on('connection', (socket) => {
  socket.on('message', (text) => {
    if (String(text).includes('connection_init')) socket.send('{"type":"connection_ack"}');
  });
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
