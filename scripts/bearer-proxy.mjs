// For clients that cannot be told a token: what comes to the proxy goes on with one, and everything else as it came, Host and
// Origin as well, so that what is judged is still the server's own answer.
import { createServer, request } from 'node:http';

/** Listens on loopback. Answers where, and how to end it. */
export async function bearerProxy(target, token) {
  const { hostname, port } = new URL(target);
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    const { method, url: path } = asked;
    const onward = request({ hostname, port, method, path, headers }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      // Streams may stay silent for long; whoever waits is to know at once that one has begun.
      answer.flushHeaders();
      got.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${proxy.address().port}`,
    stop: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
