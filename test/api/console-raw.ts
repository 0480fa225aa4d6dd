import { type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** An answer to a path sent exactly as written: `fetch` would tidy it up, and unpack the body. */
export function rawAnswer(asked: {
  port: number;
  path: string;
  headers?: Record<string, string>;
  method?: string;
}): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  const { port, path, headers = {}, method = 'GET' } = asked;
  return new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    sending.on('error', reject);
    sending.end();
  });
}
