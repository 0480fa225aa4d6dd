import { mailToFaxRoutes as routes } from '../../../shared/api/mail-to-fax.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { MailToFaxService } from './service.ts';

export function mailToFaxServedRoutes(service: MailToFaxService): ServedRoute[] {
  return [
    serve(routes.listMessages, ({ caller, query }) => service.messages(caller, query)),
    serve(routes.listSenders, async () => ({ items: await service.senders() })),
    serve(routes.addSender, ({ caller, body }) => service.addSender(caller, body)),
    serve(routes.removeSender, ({ caller, params }) => service.removeSender(caller, params.id)),
  ];
}
