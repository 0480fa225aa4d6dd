import { actorOf } from '../../access/service.ts';
import type { OutboundParts } from '../parts.ts';
import { type Actor, SYSTEM } from '../types.ts';
import type { FaxSender, SendRequest } from './send-request.ts';

/** Returns the sender with the name that they set for the header line. A code proves the number of the office, whose name it has. */
export async function senderOf(
  { desk }: Pick<OutboundParts, 'desk'>,
  request: SendRequest,
): Promise<FaxSender> {
  const { caller, kind } = request;
  if (caller === null) return earlierSender(request);
  const header_name = kind === 'code' ? null : await desk.headerNameOf(caller);
  return { ...makerOf(request), header_name };
}

export function makerOf(request: SendRequest): Omit<FaxSender, 'header_name'> {
  const { caller } = request;
  if (caller === null) return earlierSender(request);
  return { created_by: caller.principal.id, created_by_name: caller.principal.displayName };
}

/** Returns the sender on whose behalf the gateway sends. */
function earlierSender({ tryAgainDetails, broadcast }: SendRequest): FaxSender {
  const sender = tryAgainDetails?.sender ?? broadcast?.sender;
  if (!sender) throw new Error('every fax has a sender');
  return sender;
}

/** Returns the actor of the first entry in the history: of a broadcast, the person who sent it. */
export function actorFor({ caller, tryAgainDetails, broadcast }: SendRequest): Actor {
  if (caller) return actorOf(caller);
  if (tryAgainDetails || !broadcast) return SYSTEM;
  return { ...SYSTEM, id: broadcast.sender.created_by, name: broadcast.sender.created_by_name };
}
