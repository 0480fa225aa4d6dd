import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { EarlierKey, EarlierMailbox, EarlierRule } from '../access/types.ts';
import type { EarlierNotification, EarlierReceived } from '../inbound/types.ts';
import type { EarlierFax } from '../outbound/types.ts';
import type { EarlierSetting, EarlierSettingsPlan } from '../settings/types.ts';
import type { EarlierDocument } from '../work/types.ts';
import type { SlowHashKind } from './read-access.ts';

/** Functions by which rooms take records of an earlier release. `known…` return those of the ids that are there already. */
export interface Takers {
  readonly settings: {
    plan(db: ReadDb, given: readonly EarlierSetting[]): Promise<EarlierSettingsPlan>;
    save(tx: WriteTx, plan: EarlierSettingsPlan): Promise<void>;
  };
  readonly access: {
    knownMailboxes(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
    mailboxesByLabel(db: ReadDb): Promise<Map<string, string>>;
    mailboxesByNumber(db: ReadDb): Promise<Map<string, string>>;
    knownKeys(db: ReadDb, keyIds: readonly string[]): Promise<ReadonlySet<string>>;
    addMailboxes(tx: WriteTx, mailboxes: readonly EarlierMailbox[]): Promise<void>;
    addRules(tx: WriteTx, rules: readonly EarlierRule[]): Promise<void>;
    addKeys(tx: WriteTx, keys: readonly EarlierKey[]): Promise<void>;
    readonly hashKind: SlowHashKind;
  };
  readonly received: {
    known(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
    add(tx: WriteTx, faxes: readonly EarlierReceived[]): Promise<void>;
    knownNotifications(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
    addNotifications(tx: WriteTx, seen: readonly EarlierNotification[]): Promise<void>;
    /** Name in the storage of the document of a fax. */
    documentName(faxId: string, sha256: string): string;
  };
  readonly work: {
    /** Items of documents that came since `openSince` wait for an owner; the others are done. */
    add(
      tx: WriteTx,
      documents: readonly EarlierDocument[],
      times: { readonly now: string; readonly openSince: string },
    ): Promise<void>;
  };
  readonly sent: {
    known(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
    add(tx: WriteTx, faxes: readonly EarlierFax[]): Promise<void>;
  };
  /** Keeps the installation key of that release where this one has none of its own. False where it has another. */
  keepInstallationKey(key: string): Promise<boolean>;
}
