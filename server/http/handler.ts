import {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import type {
  AnswerOf,
  BodyOf,
  FieldsOf,
  ParamsOf,
  QueryOf,
  RouteDefinition,
} from '../../shared/api/route.ts';
import type { Deprecation } from '../../shared/deprecations.ts';
import { ERRORS, type ErrorCode } from '../../shared/errors/all.ts';
import { RefusalError } from '../platform/errors.ts';
import type { AccessCheck } from './access-check.ts';
import { type Caller, CallerRefusedError } from './caller.ts';
import { InvalidBodyError } from './error-handler.ts';
import type { UploadedFile } from './multipart.ts';
import type { ProviderCheck } from './provider-check.ts';
import type { Repeats } from './repeats.ts';
import { FileReply, OpenReply, Reply } from './reply.ts';
import { requestIdOf } from './request-context.ts';
import { HASH_ONLY, readInput, storedIn } from './request-input.ts';
import { sendFile } from './send-file.ts';
import type { UploadFolder } from './upload-file.ts';

export type { UploadFolder } from './upload-file.ts';

/** A request whose caller may do this and whose parts fit the route's schemas. */
export interface Call<R extends RouteDefinition> {
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly fields: FieldsOf<R>;
  /** Removed after the answer unless the handler moved them. */
  readonly files: readonly UploadedFile[];
  readonly caller: Caller;
  /** The caller with what they may do now, for work that takes its time. Throws when that is nothing any more. */
  currentCaller(): Promise<Caller>;
  readonly requestId: string;
  readonly request: Request;
}

export type Handler<R extends RouteDefinition> = (
  call: Call<R>,
) => Promise<AnswerOf<R> | Reply<AnswerOf<R>> | FileReply | OpenReply>;

/** A route with its handler, or with a raw one that verifies and reads the request itself. */
export type ServedRoute =
  | {
      readonly route: RouteDefinition;
      readonly handler: Handler<never>;
      readonly isRepeat?: RepeatCheck;
      /** Reads the changes of the handler: the answer to a repeated request whose first answer was lost in a crash. */
      readonly present?: Handler<never>;
    }
  | {
      readonly route: RouteDefinition;
      readonly raw: (request: Request, response: Response) => Promise<void>;
    };

/**
 * Returns true when a request repeats one that was accepted. The files of its form are then only hashed, whatever their
 * size: nothing is written, so that neither a full disk nor a smaller limit refuses a request that was accepted before.
 */
export type RepeatCheck = (caller: Caller, request: Request) => Promise<boolean>;

export function serve<const R extends RouteDefinition>(
  route: R,
  handler: Handler<R>,
  { present, ...options }: { readonly isRepeat?: RepeatCheck; readonly present?: Handler<R> } = {},
): ServedRoute {
  const presenting = present ? { present: present as unknown as Handler<never> } : {};
  return { route, handler: handler as unknown as Handler<never>, ...options, ...presenting };
}

export function serveRaw(
  route: RouteDefinition,
  raw: (request: Request, response: Response) => Promise<void>,
): ServedRoute {
  return { route, raw };
}

interface MountParts {
  readonly accessCheck: AccessCheck;
  readonly uploads: UploadFolder;
  readonly providerCheck?: ProviderCheck;
  /** Called when a recognized caller used a deprecated route. */
  readonly onDeprecated?: (deprecation: Deprecation, caller: Caller) => void;
  /** Recognizes repeated changes; left out, each request is a new one. */
  readonly repeats?: Repeats;
}

/** Mounts routes in the given order; the first that fits a path answers. */
export function mountRoutes(app: Express, served: readonly ServedRoute[], parts: MountParts): void {
  // An address is compared with the routes of its first part alone: with some hundred of them that is felt.
  const groups = Map.groupBy(served, ({ route }) => firstPartOf(route.path));
  const routers = new Map([...groups].map(([part, group]) => [part, routerOf(group, parts)]));
  app.use((request, response, next) => {
    const router = routers.get(firstPartOf(request.path));
    if (router) router(request, response, next);
    else next();
  });
}

/** `/fax` of `/fax/{id}`. Addresses are the same in capitals. */
const firstPartOf = (path: string) => /^\/?[^/]*/u.exec(path)?.[0].toLowerCase() ?? '';

function routerOf(served: readonly ServedRoute[], parts: MountParts): Router {
  const router = Router();
  for (const entry of served) {
    const { route } = entry;
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    router[method](route.path, createRequestHandler(entry, parts));
  }
  refuseOtherMethods(
    router,
    served.map(({ route }) => route),
  );
  return router;
}

/** Answers a known address with a method that no route has: 405, and the list of methods for OPTIONS. */
function refuseOtherMethods(router: Router, routes: readonly RouteDefinition[]): void {
  const known = new Map<string, string[]>();
  for (const { path, method } of routes) known.set(path, [...(known.get(path) ?? []), method]);
  for (const [path, methods] of known) {
    const allowed = methods.includes('GET') ? [...methods, 'HEAD', 'OPTIONS'] : [...methods, 'OPTIONS'];
    const headers = { Allow: allowed.join(', ') };
    router.all(path, (request, response, next) => {
      if (request.method === 'OPTIONS') response.status(204).set(headers).end();
      else next(new RefusalError('method_not_allowed', { headers }));
    });
  }
}

function createRequestHandler(entry: ServedRoute, parts: MountParts): RequestHandler {
  const { route } = entry;
  const { providerCheck } = parts;
  if (route.from !== undefined && !providerCheck)
    throw new Error(`${route.id} needs the check of origins and host names`);
  return async (request: Request, response: Response, next: NextFunction) => {
    response.locals['route'] = route.path;
    setDeprecationHeaders(route, response);
    try {
      if (route.from !== undefined) providerCheck?.(request);
      if ('raw' in entry) await entry.raw(request, response);
      else await answer(entry, { request, response, ...parts });
    } catch (error) {
      next(error);
    }
  };
}

type AnswerParts = MountParts & { request: Request; response: Response };
type HandledRoute = Extract<ServedRoute, { handler: Handler<never> }>;

async function answer(entry: HandledRoute, parts: AnswerParts): Promise<void> {
  const recognized: { caller: Caller | null } = { caller: null };
  try {
    await handle(entry, parts, recognized);
  } catch (error) {
    await recordRefusal(entry.route, parts, { error, caller: recognized.caller });
    throw error;
  }
}

/** Handles a request. `recognized` receives the caller just before the room is called. */
async function handle(
  { route, handler, isRepeat, present }: HandledRoute,
  { request, response, accessCheck, uploads, repeats, onDeprecated }: AnswerParts,
  recognized: { caller: Caller | null },
): Promise<void> {
  const requestId = requestIdOf(response);
  const first = await accessCheck.authorize(route, request, { requestId });
  const isHashedOnly = isRepeat !== undefined && (await isRepeat(first, request));
  if (route.form && !isHashedOnly) uploads.expectUpload();
  const input = await readInput(route, request, isHashedOnly ? HASH_ONLY : storedIn(uploads));
  try {
    const currentCaller = () => accessCheck.authorize(route, request, { requestId, isRecheck: true });
    // A body may be long under way: what the caller may do is what holds once it is here.
    const caller = route.body || route.form ? await currentCaller() : first;
    recognized.caller = caller;
    if (route.deprecated) onDeprecated?.(route.deprecated, caller);
    if (input.ignored.length > 0) response.setHeader('X-Ignored', ignoredNames(input.ignored));
    const call = { ...input, caller, currentCaller, requestId, request };
    const run = () => handler(call as never);
    const result = repeats?.once({
      route,
      request,
      caller,
      input,
      run,
      present: present ? () => present(call as never) : null,
    });
    await send(route, await (result ?? run()), response);
  } finally {
    await input.discard();
  }
}

/** A few names, shortened, of letters that a header may hold. */
function ignoredNames(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => name.slice(0, 40).replaceAll(/[^\w.[\]-]/gu, '_'));
  return [...shown, ...(names.length > shown.length ? ['...'] : [])].join(', ');
}

/**
 * Records refused changes; no other code does. Covers a recognized caller without the permission, and requests that a
 * rule of the room refuses. A request that could not be read requested nothing. By now the changes that the room began
 * are rolled back.
 */
async function recordRefusal(
  route: RouteDefinition,
  { request, response, accessCheck }: AnswerParts,
  refused: { error: unknown; caller: Caller | null },
): Promise<void> {
  const { error } = refused;
  const caller = error instanceof CallerRefusedError ? error.caller : refused.caller;
  const code = refusalCodeOf(error);
  if (!route.audited || caller === null || code === null || ERRORS[code].status >= 500) return;
  const { params } = request;
  await accessCheck.recordRefusal({ route, params, caller, code, requestId: requestIdOf(response) });
}

function refusalCodeOf(error: unknown): ErrorCode | null {
  return error instanceof RefusalError || error instanceof InvalidBodyError ? error.refusalCode : null;
}

async function send(route: RouteDefinition, result: unknown, response: Response): Promise<void> {
  if (result instanceof FileReply) return sendFile(route.answer.status, result, response);
  if (result instanceof OpenReply) return sendOpen(route, result, response);
  const reply = result instanceof Reply ? result : new Reply(result);
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  sendJson(response, reply.status ?? route.answer.status, reply.body);
}

/**
 * Sends JSON as Express does, without what it looks for in every answer: entity tags and other forms. A conditional request
 * and an answer without a body go the usual way.
 */
function sendJson(response: Response, status: number, body: unknown): void {
  const { method, headers } = response.req;
  const isConditional = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
  const isPlain = status !== 204 && status !== 205 && status !== 304 && body !== undefined;
  if (isConditional || !isPlain || method === 'HEAD' || response.hasHeader('Content-Type')) {
    response.status(status).json(body);
    return;
  }
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}

/** Its end is no time to answer, so the figures leave it out. */
function sendOpen(route: RouteDefinition, reply: OpenReply, response: Response): void {
  response.locals['open'] = true;
  response.status(route.answer.status).setHeader('Content-Type', reply.contentType);
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  response.flushHeaders();
  if (response.req.method === 'HEAD' || response.destroyed) response.end();
  else reply.open(response);
}

function setDeprecationHeaders(route: RouteDefinition, response: Response): void {
  if (!route.deprecated) return;
  response.setHeader('Deprecation', 'true');
  response.setHeader('Sunset', new Date(route.deprecated.sunset).toUTCString());
  response.setHeader('Link', `<${route.deprecated.successor}>; rel="successor-version"`);
}
