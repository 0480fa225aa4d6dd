import type { Request } from 'express';
import { printingRoutes as routes } from '../../../shared/api/printing.ts';
import { type ServedRoute, serve } from '../../http/handler.ts';
import { FileReply } from '../../http/reply.ts';
import { isLoopbackAddress } from '../../platform/public-address.ts';
import { addressOf, type Caller } from '../access/service.ts';
import type { PrintingService } from './service.ts';

export function printingServedRoutes(service: PrintingService): ServedRoute[] {
  return [
    serve(routes.getPrinter, () => service.printer()),
    serve(routes.getPassword, ({ caller }) => service.passwords.describe(caller)),
    serve(routes.createPassword, ({ caller }) => service.passwords.create(caller)),
    serve(routes.removePassword, async ({ caller }) => {
      await service.passwords.remove(caller);
      return { ok: true as const };
    }),
    serve(routes.listPrinted, (call) => service.list(requesterOf(call))),
    serve(routes.takePrinted, (call) => service.take(requesterOf(call), call.params.id)),
    serve(routes.getDocument, async (call) => {
      const { stream, sizeBytes, sha256 } = await service.open(requesterOf(call), call.params.id);
      return new FileReply(stream, { contentType: 'application/pdf', sizeBytes, sha256 });
    }),
    serve(routes.removePrinted, async (call) => {
      await service.discard(requesterOf(call), call.params.id);
      return { ok: true as const };
    }),
  ];
}

const requesterOf = ({ caller, request }: { caller: Caller; request: Request }) => ({
  caller,
  isAtComputer: isAtComputer(request),
});

/** Behind a proxy that is not listed, every caller would seem to be at this computer. */
const PASSED_ON = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via'];

function isAtComputer(request: Request): boolean {
  const isPassedOn = PASSED_ON.some((name) => request.headers[name] !== undefined);
  return !isPassedOn && isLoopbackAddress(addressOf(request));
}
