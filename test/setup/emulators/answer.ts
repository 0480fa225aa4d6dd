import type { ServerResponse } from 'node:http';

/** Answer of a route; `headers` are added to those on every answer. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  return { status, body: Buffer.from(JSON.stringify(value)), headers: { ...type, ...headers } };
}

export function html(status: number, text: string): Answer {
  return { status, body: Buffer.from(text), headers: { 'content-type': 'text/html' } };
}

/** A received or sent document. */
export function pdf(body: Buffer, fileName: string): Answer {
  const disposition = `attachment; filename="${fileName}"`;
  const headers = { 'content-type': 'application/pdf', 'content-disposition': disposition };
  return { status: 200, body, headers };
}

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, { 'content-length': answer.body.length, ...answer.headers });
  response.end(answer.body);
}
