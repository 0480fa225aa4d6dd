import { printRulesRoutes as routes } from '../../../shared/api/print-rules.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import type { NewMinuteLimit } from '../../http/rate-limit.ts';
import type { PrintRulesService } from './service.ts';

/** Enough for a person who sets a rule up; a program that looks for open ports gets no further, with however many keys. */
const CHECKS_PER_MINUTE = 20;

export function printRulesServedRoutes(
  service: PrintRulesService,
  minuteLimit: NewMinuteLimit,
): ServedRoute[] {
  const checks = minuteLimit('printer-checks');
  return [
    serve(routes.listPrintRules, async () => ({ items: await service.rules() })),
    serve(routes.createPrintRule, ({ caller, body }) => service.create(caller, body)),
    serve(routes.changePrintRule, ({ caller, params, body }) => service.change(caller, params.id, body)),
    serve(routes.removePrintRule, ({ caller, params, body }) =>
      service.remove(caller, { id: params.id, version: body.version }),
    ),
    serve(routes.checkPrinter, async ({ caller, body, request }) => {
      await checks.consume(caller.principal.id, CHECKS_PER_MINUTE, request);
      return service.check(caller, body.printer_url);
    }),
    serve(routes.listPrintouts, ({ caller, query }) => service.printouts(caller, query)),
    serve(routes.retryPrintout, ({ caller, params }) => service.retry(caller, params.id)),
    serve(routes.confirmPrintout, ({ caller, params, body }) =>
      service.confirm(caller, { id: params.id, ...body }),
    ),
  ];
}
