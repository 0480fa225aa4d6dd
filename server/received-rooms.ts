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
import { createWork, type WorkRoom, type WorkRoomParts } from './features/work/room.ts';
import { notificationAddresses } from './providers.ts';
import type { RecordCounts } from './record-counts.ts';

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
    | 'mail'
    | 'signing'
  >,
  access: WorkRoomParts['access'],
): {
  readonly inbound: InboundRoom;
  readonly callLog: CallLog;
  readonly mail: IntakeService;
  readonly counts: Omit<RecordCounts, 'faxes'>;
  readonly list: readonly Room[];
} {
  const { securityAudit: audit, signing } = base;
  const inbound = createInbound({
    ...faxes,
    audit,
    receivers: base.providers.receivers,
    notifications: notificationAddresses(known),
  });
  const above = { ...faxes, audit, inbound: inbound.service };
  const imports = createImports(above);
  const mailer = createSmtpMailer(faxes.logger.room('intake'));
  const renewToken = createTokenClient(tokenAddresses);
  const intake = createIntake({ ...above, mailer, renewToken });
  const beside = { imports: imports.records, signing: signing.service, mail: intake.service };
  const work = createWork({ ...above, ...beside, access });
  inbound.whenFiled(intake.items);
  inbound.whenFiled(work.items);
  inbound.showWorkItems(work.items);
  const { costsOfDay } = base.routing;
  const summary = createSummary({ ...above, mail: intake.service, work: work.service, costsOfDay });
  const telephony = createTelephony(above);
  inbound.addSource(telephony.source);
  const list = [inbound, intake, work, telephony, imports, summary];
  const counts = countsOf(inbound, work, intake);
  return { inbound, callLog: telephony.callLog, mail: intake.service, counts, list };
}

function countsOf(
  inbound: InboundRoom,
  work: WorkRoom,
  intake: { readonly service: IntakeService },
): Omit<RecordCounts, 'faxes'> {
  return {
    received_faxes: () => inbound.service.countByStatus(),
    work_items: () => work.service.countByState(),
    email_deliveries: () => intake.service.counts(),
  };
}
