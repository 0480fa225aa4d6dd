import { summaryRoutes as routes } from '../../../shared/api/summary.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { SummaryService } from './service.ts';

export function summaryServedRoutes(service: SummaryService): ServedRoute[] {
  return [
    serve(routes.readSummary, ({ caller }) => service.read(caller)),
    serve(routes.sendSummary, ({ caller }) => service.sendNow(caller)),
  ];
}
