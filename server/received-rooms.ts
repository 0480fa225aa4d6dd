import type { TokenAddresses } from './adapters/mail/port.ts';
import { createSmtpMailer } from './adapters/mail/smtp.ts';
import { createTokenClient } from './adapters/mail/tokens.ts';
import type { Provider } from './adapters/providers/provider-port.ts';
import { createImports } from './features/imports/room.ts';
import type { Receiver } from './features/inbound/port.ts';
import { createInbound, type InboundRoom, type InboundRoomParts } from './features/inbound/room.ts';
import { createIntake, type IntakeRoomParts } from './features/intake/room.ts';
import type { IntakeService } from './features/intake/service.ts';
import type { CallLog } from './features/outbound/port.ts';
import type { Room } from './features/room.ts';
import { createSummary, type SummaryRoomParts } from './features/summary/room.ts';
import { createTelephony, type TelephonyRoomParts } from './features/telephony/room.ts';
import { createWork, type WorkRoomParts } from './features/work/room.ts';
import { notificationAddresses } from './providers.ts';

interface ReceivedFoundation {
  readonly providers: readonly Provider[];
  readonly tokenAddresses?: TokenAddresses | undefined;
}

/** The room of received faxes, and those that bring them in and see to them, low to high. */
export function createReceived(
  { providers: known, tokenAddresses }: ReceivedFoundation,
  base: {
    readonly providers: { readonly receivers: Readonly<Record<string, Receiver>> };
    readonly securityAudit: InboundRoomParts['audit'];
    readonly signing: { readonly service: WorkRoomParts['signing'] };
    readonly routing: Pick<SummaryRoomParts, 'costsOfDay'>;
  },
  faxes: Omit<
    InboundRoomParts &
      IntakeRoomParts &
      WorkRoomParts &
      Pick<TelephonyRoomParts, 'listening'> &
      Pick<SummaryRoomParts, 'sentFaxes'>,
    | 'audit'
    | 'mailer'
    | 'renewToken'
    | 'receivers'
    | 'notifications'
    | 'access'
    | 'inbound'
    | 'imports'
    | 'signing'
  >,
  access: WorkRoomParts['access'],
): {
  readonly inbound: InboundRoom;
  readonly callLog: CallLog;
  readonly mail: IntakeService;
  readonly list: readonly Room[];
} {
  const { securityAudit: audit, signing } = base;
  const inbound = createInbound({
    ...faxes,
    audit,
    receivers: base.providers.receivers,
    notifications: notificationAddresses(known),
  });
  const imports = createImports({ ...faxes, inbound: inbound.service });
  const beside = { inbound: inbound.service, imports: imports.records, signing: signing.service };
  const work = createWork({ ...faxes, ...beside, audit, access });
  const mailer = createSmtpMailer(faxes.logger.room('intake'));
  const renewToken = createTokenClient(tokenAddresses);
  const intake = createIntake({ ...faxes, audit, mailer, renewToken, inbound: inbound.service });
  inbound.whenFiled(intake.items);
  inbound.whenFiled(work.items);
  inbound.showWorkItems(work.items);
  const summary = createSummary({
    ...faxes,
    audit,
    mail: intake.service,
    work: work.service,
    costsOfDay: base.routing.costsOfDay,
  });
  const telephony = createTelephony({ ...faxes, audit, inbound: inbound.service });
  inbound.addSource(telephony.source);
  const list = [inbound, intake, work, telephony, imports, summary];
  return { inbound, callLog: telephony.callLog, mail: intake.service, list };
}
