import { outboundRoutes } from '../../../shared/api/outbound.ts';
import { type ServedRoute, serveRaw } from '../../http/handler.ts';
import { receiveForm } from '../../http/multipart.ts';
import { FaxRefusalError } from './errors.ts';
import type { OutboundService } from './service.ts';

/** A provider may attach the document; only its digest is needed. */
const MOST_BYTES = 50 * 1024 * 1024;
const MOST_FILES = 20;

/**
 * Signed callbacks: the form is read raw, its files hashed as they stream, and nothing is kept before verification. Of an
 * unsigned one nothing is read at all.
 */
export function callbackServedRoutes(service: OutboundService): ServedRoute[] {
  const { cloudoneCallback: route, cloudtwoCallback: hintRoute } = outboundRoutes;
  return [
    serveRaw(hintRoute, async (request, response) => {
      const locators = hintRoute.query.safeParse(request.query);
      if (!locators.success) throw new FaxRefusalError('invalid_credential');
      const { job_id: jobId, attempt_id: attemptId } = locators.data;
      const applied = await service.callbackHint({ backend: 'cloudtwo', jobId, attemptId });
      response.status(200).json({ ok: true, applied });
    }),
    serveRaw(route, async (request, response) => {
      const locators = route.query.safeParse(request.query);
      if (!locators.success) throw new FaxRefusalError('invalid_credential');
      const limits = { directory: null, totalBytes: MOST_BYTES, files: MOST_FILES, digest: 'sha1' } as const;
      const form = await receiveForm(request, limits);
      const applied = await service.callback({
        backend: 'cloudone',
        jobId: locators.data.job_id,
        attemptId: locators.data.attempt_id,
        form: { fields: form.fields, files: form.files.map((file) => [file.field, file.digest] as const) },
        header: (name) => request.get(name),
      });
      response.status(200).json({ ok: true, applied });
    }),
  ];
}
