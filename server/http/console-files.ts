import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Express, Request, RequestHandler, Response } from 'express';
import { ERROR_CODE_HEADER, ERRORS, type ErrorCode } from '../../shared/errors/all.ts';
import { errorCode, RefusalError } from '../platform/errors.ts';
import { pipeToResponse } from './pipe-to-response.ts';

/** Locations of the parts of the console. */
export interface BuiltConsole {
  /** Output folder of the build. */
  readonly folder: string;
  readonly logo: string;
}

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** In the repository as in the packaged application. */
const BUILT_CONSOLE: BuiltConsole = {
  folder: pathOf('out/console'),
  logo: pathOf('resources/icons/logo.svg'),
};

const HOME = '/admin/ui/';
/** Names such as the build makes them. Nothing that begins with a dot, and nothing outside the folder, has one. */
const FILE_NAME = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/u;
/** Their names change with their content. */
const HASHED = /^assets\//u;
const PACKED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Serves the built console at `/admin/ui/`: its files by name, and its page at every other address. */
export function mountConsole(app: Express, where: BuiltConsole = BUILT_CONSOLE): void {
  app.get('/', (_request, response) => response.redirect(302, HOME));
  app.get('/admin/ui{/*path}', answerFrom(where));
}

function answerFrom(where: BuiltConsole): RequestHandler {
  return async (request, response) => {
    response.locals['route'] = HOME;
    const name = request.path.slice(HOME.length);
    if (`${request.path}/` === HOME) response.redirect(302, HOME);
    else if (name === 'logo.svg') await sendLogo(request, response, where);
    else if (name.includes('.')) await sendNamed(request, response, { where, name });
    else await sendPage(response, where);
  };
}

async function sendPage(response: Response, { folder }: BuiltConsole): Promise<void> {
  const page = await readFile(join(folder, 'index.html')).catch(nullWhenMissing);
  response.type('html');
  if (page) response.send(page);
  else sendNotBuilt(response);
}

/** Browsers read the icon of a page again at each change of its address. */
async function sendLogo(request: Request, response: Response, { logo }: BuiltConsole): Promise<void> {
  response.setHeader('Cache-Control', 'public, max-age=86400');
  await sendFile(request, response, logo);
}

function sendNotBuilt(response: Response): void {
  const { status, sentence } = ERRORS.console_not_built;
  response.setHeader(ERROR_CODE_HEADER, 'console_not_built' satisfies ErrorCode);
  response.status(status).send(`<!doctype html><title>Faxdesk</title><p>${sentence}</p>`);
}

async function sendNamed(
  request: Request,
  response: Response,
  { where, name }: { where: BuiltConsole; name: string },
): Promise<void> {
  // The page itself is asked for by its address, not by its name.
  if (!FILE_NAME.test(name) || name === 'index.html') throw nothingHere();
  if (HASHED.test(name)) response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  await sendFile(request, response, join(where.folder, name));
}

/** A file, in the packed form beside it when there is one that the browser takes. */
async function sendFile(request: Request, response: Response, path: string): Promise<void> {
  const forms = PACKED.filter(([encoding]) => request.acceptsEncodings(encoding) === encoding);
  for (const [encoding, ending] of [...forms, [null, ''] as const]) {
    const found = await stat(path + ending).catch(nullWhenMissing);
    if (!found?.isFile()) continue;
    response.type(path.endsWith('.svg') ? 'image/svg+xml; charset=utf-8' : path.slice(path.lastIndexOf('.')));
    response.vary('Accept-Encoding');
    response.setHeader('Content-Length', found.size);
    if (encoding) response.setHeader('Content-Encoding', encoding);
    await pipeToResponse(createReadStream(path + ending), response);
    return;
  }
  response.setHeader('Cache-Control', 'no-store');
  throw nothingHere();
}

const nothingHere = () => new RefusalError('no_such_address');

function nullWhenMissing(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return null;
  throw error;
}
