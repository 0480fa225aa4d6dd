import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Request } from 'express';
import type { NotificationRoute } from '../../../shared/api/provider-routes.ts';
import { formerPathOf } from '../../http/former-addresses.ts';
import { type ServedRoute, serveRaw } from '../../http/handler.ts';
import { receiveJsonWithFile } from '../../http/json-with-file.ts';
import { receiveForm, type UploadedFile } from '../../http/multipart.ts';
import type { MinuteLimit } from '../../http/rate-limit.ts';
import type { UnverifiedBodies, UnverifiedBody } from '../../http/unverified-bodies.ts';
import { RefusalError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { addressOf } from '../access/service.ts';
import { unreadable } from './errors.ts';
import type { InboundService, Notification } from './service.ts';

type NotificationRequest = Notification['request'];

/** Limits for the files of one notification. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_FILES = 20;
/** Limit per address, for notifications whose sender is not proven. */
const UNVERIFIED_PER_MINUTE = 60;

/** Address at which a provider notifies of received faxes. */
export interface NotificationAddress {
  readonly backend: string;
  readonly route: NotificationRoute;
}

/**
 * Serves the notifications of providers. They are read raw, and files are hashed as they stream. Nothing is read when
 * nothing can prove it; before verification little is kept, and in memory only; nothing is recorded.
 */
export function notificationRoutes(
  service: InboundService,
  addresses: readonly NotificationAddress[],
  { limit, bodies }: { limit: MinuteLimit; bodies: UnverifiedBodies },
): ServedRoute[] {
  return addresses.map(({ backend, route }) =>
    serveRaw(route, async (request, response) => {
      service.assertOn();
      const head = service.checkHead(backend, headersOf(request));
      if (head === 'hint') await limit.consume(addressOf(request), UNVERIFIED_PER_MINUTE, request);
      const unverified =
        head === 'genuine'
          ? undefined
          : bodies.begin({ keepsFiles: head === 'open', address: addressOf(request) });
      try {
        const path = formerPathOf(response) ?? route.path;
        await handleNotification(service, backend, { request, path, unverified });
      } finally {
        unverified?.end();
      }
      response.status(200).json({ status: 'ok' });
    }),
  );
}

async function handleNotification(
  service: InboundService,
  backend: string,
  { request, path, unverified }: { request: Request; path: string; unverified: UnverifiedBody | undefined },
): Promise<void> {
  const head = { url: `${service.settings.statedUrl() ?? ''}${path}`, headers: headersOf(request) };
  const received = await receive(request, service.workDirectory, unverified);
  try {
    const files = received.files.map((file) => withPath(file, service.workDirectory));
    await service.notification({
      backend,
      request: { ...head, ...received.body, files },
      async writeToDisk(wanted) {
        const file = files.find((each) => each.path === wanted);
        if (file?.bytes) await writeFile(wanted, file.bytes, { mode: 0o600, flag: 'wx' });
      },
    });
  } finally {
    await received.discard();
  }
}

interface Received {
  readonly body: Pick<NotificationRequest, 'contentType' | 'fields' | 'json'>;
  readonly files: readonly UploadedFile[];
  discard(): Promise<void>;
}

async function receive(
  request: Request,
  workDirectory: string,
  unverified: UnverifiedBody | undefined,
): Promise<Received> {
  // The provider's adapter reads it as it is; it is sealed when it is stored.
  const place = unverified ? null : { directory: workDirectory, newKey: () => null };
  const common = { place, digest: 'sha1', ...(unverified ? { unverified } : {}) } as const;
  if (/^application\/json\b/iu.test(request.get('content-type') ?? '')) {
    const wanted = { ...common, member: 'file', fileBytes: MAX_BYTES };
    const { json, file, discard } = await receiveJsonWithFile(request, wanted);
    const body = { contentType: 'json', fields: [], json: json ?? null } as const;
    return { body, files: file ? [file] : [], discard };
  }
  const limits = { ...common, totalBytes: MAX_BYTES, files: MAX_FILES };
  const form = await receiveForm(request, limits).catch((error: unknown) => {
    throw error instanceof RefusalError && error.status === 415 ? unreadable(error.publicMessage) : error;
  });
  const contentType = isMultipart(request) ? 'multipart' : 'form';
  return { ...form, body: { contentType, fields: form.fields, json: null } };
}

/** Keeps a small file in memory; it gets a path that it is written to when needed. */
function withPath(
  file: UploadedFile,
  directory: string,
): NotificationRequest['files'][number] & { bytes?: Uint8Array } {
  const { field: name, digest: sha1Hex, sizeBytes, content } = file;
  if (!file.isKept) return { name, sha1Hex, sizeBytes, path: null };
  if ('path' in content) return { name, sha1Hex, sizeBytes, path: content.path };
  return { name, sha1Hex, sizeBytes, path: join(directory, newId()), bytes: content.bytes };
}

function isMultipart(request: Request): boolean {
  return /^multipart\//iu.test(request.get('content-type') ?? '');
}

function headersOf(request: Request): NotificationRequest['headers'] {
  const single = Object.entries(request.headers).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(single) as NotificationRequest['headers'];
}
