import type { MailOutcome } from '../../adapters/mail/port.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { JobDefinition } from '../../jobs/define-job.ts';
import type { Caller } from '../access/service.ts';
import {
  type ConnectorAnswer,
  type ConnectorFields,
  type ConnectorRead,
  changeConnector,
  createConnector,
  presentConnector,
  removeConnector,
} from './connectors.ts';
import { type Confirmation, confirm, retry } from './decisions.ts';
import { defineDelivery } from './deliver.ts';
import { type HandOver, handOver } from './hand-over.ts';
import { countsOf, type DeliveryAnswer, listDeliveries, presentAll } from './listing.ts';
import { type OAuthFields, removeOAuth, setOAuth } from './oauth.ts';
import type { IntakeParts } from './parts.ts';
import { listConnectors } from './store/connector-store.ts';
import { type ItemFilter, itemsOfFax } from './store/item-store.ts';
import { recipientsOf } from './store/recipient-store.ts';
import { deleteItems, undeliveredAmong } from './store/removal-store.ts';
import { type TestResult, testConnector } from './test-connector.ts';
import type { ItemRow, RecordedDelivery } from './types.ts';

export type { HandOver } from './hand-over.ts';
export { retryDelayMs } from './outcome.ts';

/** Received faxes by e-mail. Refusals are IntakeRefusalError. */
export interface IntakeService {
  readonly jobs: readonly JobDefinition<never>[];
  connectors(): Promise<ConnectorAnswer[]>;
  create(caller: Caller, fields: ConnectorFields): Promise<ConnectorAnswer>;
  change(caller: Caller, id: string, fields: ConnectorFields): Promise<ConnectorAnswer>;
  remove(caller: Caller, read: ConnectorRead): Promise<ConnectorAnswer>;
  setOAuth(caller: Caller, id: string, given: OAuthFields): Promise<ConnectorAnswer>;
  removeOAuth(caller: Caller, id: string): Promise<ConnectorAnswer>;
  test(caller: Caller, id: string): Promise<TestResult>;
  deliveries(caller: Caller, filter: ItemFilter): ReturnType<typeof listDeliveries>;
  retry(caller: Caller, id: string): Promise<DeliveryAnswer>;
  confirm(caller: Caller, confirmation: Confirmation): Promise<DeliveryAnswer>;
  /** Hands over a message that holds no fax, by the connector of a name or id. */
  handOver(order: HandOver, beforeData: () => Promise<void>): Promise<MailOutcome>;
  /**
   * Returns the deliveries of a fax, oldest first, for a room that has checked access to it. Works inside a
   * transaction.
   */
  deliveriesOf(db: ReadDb, faxId: string): Promise<RecordedDelivery[]>;
  /** Returns those of the faxes with an e-mail that was not delivered. Works inside a transaction. */
  undeliveredAmong(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes the e-mails of faxes that are removed with an archive, those of a few dozen at most. */
  removeOf(tx: WriteTx, faxIds: readonly string[]): Promise<void>;
  /** Counts the e-mails with received faxes by state. */
  counts(): ReturnType<typeof countsOf>;
  /** Returns sentences about e-mails that wait for a person. */
  warnings(): Promise<string[]>;
}

export function createIntakeService(parts: IntakeParts): IntakeService {
  const present = async (caller: Caller, item: ItemRow) => {
    const [answer] = await presentAll(parts, caller, [item]);
    return answer as DeliveryAnswer;
  };
  return {
    jobs: [defineDelivery(parts)] as unknown as JobDefinition<never>[],
    connectors: async () => (await listConnectors(parts.db.read)).map(presentConnector),
    create: async (caller, fields) => presentConnector(await createConnector(parts, caller, fields)),
    change: async (caller, id, fields) => presentConnector(await changeConnector(parts, caller, id, fields)),
    remove: async (caller, read) => presentConnector(await removeConnector(parts, caller, read)),
    setOAuth: async (caller, id, given) => presentConnector(await setOAuth(parts, caller, id, given)),
    removeOAuth: async (caller, id) => presentConnector(await removeOAuth(parts, caller, id)),
    test: (caller, id) => testConnector(parts, caller, id),
    deliveries: (caller, filter) => listDeliveries(parts, caller, filter),
    retry: async (caller, id) => present(caller, await retry(parts, caller, id)),
    confirm: async (caller, confirmation) => present(caller, await confirm(parts, caller, confirmation)),
    handOver: (order, beforeData) => handOver(parts, order, beforeData),
    deliveriesOf,
    undeliveredAmong,
    removeOf: deleteItems,
    counts: () => countsOf(parts),
    warnings: () => warningsOf(parts),
  };
}

async function deliveriesOf(db: ReadDb, faxId: string): Promise<RecordedDelivery[]> {
  const items = await itemsOfFax(db, faxId);
  const recipients = await recipientsOf(
    db,
    items.map(({ id }) => id),
  );
  return items.map((item) => ({ item, recipients: recipients.filter(({ item_id: id }) => id === item.id) }));
}

async function warningsOf(parts: IntakeParts): Promise<string[]> {
  const { uncertain, failed } = await countsOf(parts);
  const mails = (count: number) =>
    count === 1 ? '1 e-mail with a received fax' : `${count} e-mails with received faxes`;
  const lost = (await listConnectors(parts.db.read)).filter(({ oauth_problem: why }) => why !== null).length;
  return [
    lost === 0 ? [] : [lostSignIns(lost)],
    uncertain === 0 ? [] : [`${mails(uncertain)} may or may not have arrived. Check with the recipients.`],
    failed === 0 ? [] : [`${mails(failed)} could not be delivered.`],
  ].flat();
}

function lostSignIns(count: number): string {
  return count === 1
    ? 'The OAuth sign-in of an e-mail connector no longer works. Sign in again.'
    : `The OAuth sign-ins of ${count} e-mail connectors no longer work. Sign in again.`;
}
