export type Fields = ReadonlyArray<readonly [string, string]>;
export type Files = ReadonlyArray<{ name: string; bytes: Buffer }>;

/** A multipart form as the vendors send it. */
export function multipart(boundary: string, fields: Fields, files: Files): Buffer {
  const parts: Buffer[] = fields.map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  );
  for (const { name, bytes } of files) {
    const disposition = `Content-Disposition: form-data; name="${name}"; filename="fax.pdf"`;
    const head = `--${boundary}\r\n${disposition}\r\nContent-Type: application/pdf\r\n\r\n`;
    parts.push(Buffer.from(head), bytes, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

/** User and password of an address as the header in which they are sent. */
export function basicOf(target: URL): Record<string, string> {
  if (target.username === '') return {};
  const pair = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The address without user and password: that is what the request goes to. */
export function addressOf(target: URL): string {
  return `${target.origin}${target.pathname}${target.search}`;
}
