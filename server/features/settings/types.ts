import type { AuditOperation } from '../../../shared/audit-operations.ts';
import type { CredentialKind } from '../../../shared/credential-kinds.ts';
import type { NotificationProblem, Provider } from '../../adapters/providers/provider-port.ts';
import type { WriteTx } from '../../db/database.ts';
import type { AllowedPath } from '../../platform/allowed-folders.ts';
import type { AnyValue, SettingDefinition } from '../../platform/setting-kinds.ts';
import type { SettingName, SettingValue, SettingValues } from './definitions.ts';

export type { AnyValue } from '../../platform/setting-kinds.ts';
export type { SettingValues } from './definitions.ts';

/** The settings in force now, as rooms read them. */
export interface Settings {
  get<N extends SettingName>(name: N): SettingValue<N>;
  /** All values in force and the revision they belong to; it does not change afterwards. */
  snapshot(): SettingsSnapshot;
  /** Returns the file or folder in force, or the reason why nothing may be written there; null when it is not set. */
  pathOf(name: 'AUDIT_LOG_FILE' | 'BACKUP_FOLDER' | 'IMPORT_FOLDER' | 'SEND_FOLDER'): AllowedPath | null;
  /** Calls the listener after every committed change, of this process or another; the answer ends that. */
  onChange(listener: (change: SettingsChange) => void): () => void;
}

/** A part of the settings: what a room reads is what it names. */
export interface SettingsReader<N extends SettingName> {
  get<M extends N>(name: M): SettingValue<M>;
}

interface SettingsSnapshot {
  readonly values: SettingValues;
  readonly revisionId: string;
  readonly generation: number;
}

export interface SettingsChange {
  /** The settings whose value in force changed; empty when all of them wait for a restart. */
  readonly names: ReadonlySet<string>;
  readonly revisionId: string;
  readonly generation: number;
}

/** A set of saved settings; `generation` counts up by one with each. */
export interface Revision {
  readonly id: string;
  readonly generation: number;
}

export interface RevisionRecord extends Revision {
  readonly createdAt: string;
  readonly actor: { readonly id: string | null; readonly name: string };
  readonly changes: readonly RecordedChange[];
}

/** Values of secrets are left out: both are null. */
export interface RecordedChange {
  readonly name: string;
  readonly from: AnyValue;
  readonly to: AnyValue;
  readonly secret: boolean;
}

/** Records who changed what, in the transaction of the change; the security audit fits. */
export interface ChangeAudit {
  record(
    tx: WriteTx,
    event: {
      actor: { id: string | null; name: string };
      credentialKind: CredentialKind;
      operation: AuditOperation;
      target: { kind: string; id: string };
      outcome: 'done';
      policyVersion: number;
      requestId: string | null;
      details: { generation: number; changes: readonly RecordedChange[] };
    },
  ): Promise<void>;
}

export type SettingSource = 'office' | 'environment' | 'stored' | 'default';

/** A setting as the settings screen shows it: the newest saved value, which may wait for a restart. */
export interface ShownSetting
  extends Pick<
    SettingDefinition<AnyValue>,
    | 'secret'
    | 'restart'
    | 'opens'
    | 'group'
    | 'label'
    | 'help'
    | 'type'
    | 'choices'
    | 'format'
    | 'least'
    | 'most'
    | 'rule'
  > {
  readonly name: string;
  /** Always null for a secret. */
  readonly value: AnyValue;
  readonly isSet: boolean;
  readonly source: SettingSource;
  /** Warning about the value for a person; null for none. */
  readonly warning: string | null;
}

/** A provider as its form shows it, with the newest saved values. */
export interface ShownProvider
  extends Pick<
    Provider,
    'backend' | 'displayName' | 'help' | 'settings' | 'essentials' | 'optional' | 'headerOwnForm'
  > {
  readonly notificationProblem: NotificationProblem | null;
}

export interface ApplyState {
  /** The newest revision that is wholly in force. */
  readonly active: Revision;
  /** The newest saved revision. */
  readonly desired: Revision;
  readonly pendingRestart: boolean;
}

/** Values by name; null means back to the default. */
export type Changes = ReadonlyMap<string, AnyValue>;

/** Checks of other parts for a value, beyond its own schema: a sentence part, or null when it may be used. */
export type ValueChecks = Readonly<Partial<Record<string, (value: string) => string | null>>>;

/** Tries a provider's credentials without sending anything. */
export type CheckProvider = (
  backend: string,
  values: Readonly<Record<string, AnyValue>>,
) => Promise<{ ok: boolean; detail: string }>;

/** Setting of an earlier release, by its present name. */
export interface EarlierSetting {
  readonly name: string;
  /** Name in the earlier release. */
  readonly formerName: string;
  readonly text: string;
}

/** Plan for the settings of an earlier release; names as that release wrote them. */
export interface EarlierSettingsPlan {
  readonly changes: readonly { readonly name: string; readonly from: AnyValue; readonly to: AnyValue }[];
  /** This installation has a value of its own. */
  readonly kept: readonly string[];
  /** Of parts that were removed: they are ignored. */
  readonly removed: readonly string[];
  /** Not settings of this release. */
  readonly unknown: readonly string[];
  readonly unusable: readonly { readonly name: string; readonly problem: string }[];
  /** Nobody ever chose a provider. */
  readonly usesFormerBackend: boolean;
}

/** Environment of an earlier release, sorted by what becomes of it. */
export interface EarlierEnvironment {
  readonly settings: readonly EarlierSetting[];
  /** The installation key that programs know; null where none was set. */
  readonly installationKey: string | null;
  /** Address of the installation that providers call; null where none was set. */
  readonly publicUrl: string | null;
  /** True when providers call addresses of that release. */
  readonly hasAddresses: boolean;
  /** True when callbacks were verified with the API secret, which is no longer possible. */
  readonly verifiedBySecret: boolean;
  /** The country of national numbers (ISO 3166 alpha-2). */
  readonly country: string;
}
