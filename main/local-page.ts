import { readFile } from 'node:fs/promises';
import type { Session } from 'electron';
import { LOCAL_SCHEME } from './channels.ts';
import { builtFile } from './files.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The files of the application's own page, by their address. */
const FILES: Readonly<Record<string, { file: string; type: string }>> = {
  '/': { file: 'local.html', type: 'text/html; charset=utf-8' },
  '/local.css': { file: 'local.css', type: 'text/css; charset=utf-8' },
  '/local.js': { file: 'local.js', type: 'text/javascript; charset=utf-8' },
};

/** Serves `app://faxdesk/`, which shows the status while there is no gateway to show. */
export function serveLocalPage(session: Session): void {
  session.protocol.handle(LOCAL_SCHEME, async ({ url }) => {
    const { host, pathname } = new URL(url);
    const entry = host === 'faxdesk' ? FILES[pathname] : undefined;
    if (entry === undefined) return new Response(null, { status: 404 });
    const bytes = await readFile(builtFile(entry.file));
    return new Response(new Uint8Array(bytes), {
      headers: {
        'Content-Type': entry.type,
        'Content-Security-Policy': POLICY,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
      },
    });
  });
}
