import { httpsRoutes as routes } from '../../../shared/api/https.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import type { HttpsService } from './service.ts';

export function httpsServedRoutes(service: HttpsService): ServedRoute[] {
  return [
    serve(routes.state, () => service.state()),
    serve(
      routes.rootCertificate,
      async () =>
        new FileReply(service.rootCertificate(), {
          contentType: 'application/x-x509-ca-cert',
          headers: { 'Content-Disposition': 'attachment; filename="faxdesk-root.crt"' },
        }),
    ),
  ];
}
