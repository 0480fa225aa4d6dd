import type { Request } from 'express';
import type { CallbackRoute } from '../../../shared/api/provider-routes.ts';
import { sendJson } from '../../http/early-answer.ts';
import { type ServedRoute, serveRaw } from '../../http/handler.ts';
import { receiveForm } from '../../http/multipart.ts';
import type { UnverifiedBodies, UnverifiedBody } from '../../http/unverified-bodies.ts';
import { addressOf } from '../access/service.ts';
import type { CallbackHint } from './outcome/callback.ts';
import type { OutboundService } from './service.ts';
import type { CallbackForm } from './transport-port.ts';

/** A provider may attach the document; only its digest is needed. */
const MAX_BODY_BYTES = 50 * 1024 * 1024;
const MAX_FILES = 20;

/** Address where a provider reports the outcome of sent faxes. */
export interface CallbackAddress {
  readonly backend: string;
  readonly route: CallbackRoute;
  /** True when its callbacks prove their origin. */
  readonly signed: boolean;
}

/**
 * Serves the callbacks. The form of a signed one is read raw, its files hashed as they stream, and nothing is kept
 * before verification. Of an unsigned one, and of one without a signature, nothing is read at all.
 */
export function callbackServedRoutes(
  service: OutboundService,
  addresses: readonly CallbackAddress[],
  bodies: UnverifiedBodies,
): ServedRoute[] {
  return addresses.map(({ backend, route, signed }) =>
    serveRaw(route, async (request, response) => {
      const hint = { backend, ...attemptOf(route, request) };
      const applied = signed
        ? await receiveSigned(service, bodies, { hint, request })
        : await service.callbacks.hint(hint);
      sendJson(request, response, 200, { ok: true, applied });
    }),
  );
}

async function receiveSigned(
  service: OutboundService,
  bodies: UnverifiedBodies,
  { hint, request }: { hint: CallbackHint; request: Request },
): Promise<boolean> {
  const head = { ...hint, header: (name: string) => request.get(name) };
  await service.callbacks.checkHead(head);
  const unverified = bodies.begin({ keepsFiles: false, address: addressOf(request) });
  try {
    return await service.callbacks.receive({ ...head, form: await formOf(request, unverified) });
  } finally {
    unverified.end();
  }
}

function attemptOf(route: CallbackRoute, request: Request): { jobId: string; attemptId: string } {
  const ids = route.query.safeParse(request.query);
  // Names no fax, and is refused and counted as such.
  if (!ids.success) return { jobId: '', attemptId: '' };
  return { jobId: ids.data.job_id, attemptId: ids.data.attempt_id };
}

async function formOf(request: Request, unverified: UnverifiedBody): Promise<CallbackForm> {
  const { fields, files } = await receiveForm(request, {
    place: null,
    totalBytes: MAX_BODY_BYTES,
    files: MAX_FILES,
    digest: 'sha1',
    unverified,
  });
  return { fields, files: files.map((file) => [file.field, file.digest] as const) };
}
