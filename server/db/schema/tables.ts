import type { AccessTables } from './access.ts';
import type { ArchivesTables } from './archives.ts';
import type { AuditTables } from './audit.ts';
import type { BroadcastsTables } from './broadcasts.ts';
import type { ConsoleTables } from './console.ts';
import type { ContactsTables } from './contacts.ts';
import type { CoversTables } from './covers.ts';
import type { DeskTables } from './desk.ts';
import type { DirectTables } from './direct.ts';
import type { FoldersTables } from './folders.ts';
import type { GatewaysTables } from './gateways.ts';
import type { HoldsTables } from './holds.ts';
import type { ImportsTables } from './imports.ts';
import type { InboundTables } from './inbound.ts';
import type { IntakeTables } from './intake.ts';
import type { JobsTables } from './jobs.ts';
import type { MailToFaxTables } from './mail-to-fax.ts';
import type { NoticesTables } from './notices.ts';
import type { OutboundTables } from './outbound.ts';
import type { PairingTables } from './pairing.ts';
import type { PrintRulesTables } from './print-rules.ts';
import type { PrintingTables } from './printing.ts';
import type { RoutingTables } from './routing.ts';
import type { SettingsTables } from './settings.ts';
import type { SigningTables } from './signing.ts';
import type { StorageTables } from './storage.ts';
import type { SummaryTables } from './summary.ts';
import type { TelephonyTables } from './telephony.ts';
import type { UpgradeTables } from './upgrade.ts';
import type { WebhooksTables } from './webhooks.ts';
import type { WorkTables } from './work.ts';

/** Every table. A room's store touches only the tables of its own file. */
export interface Tables
  extends AccessTables,
    ArchivesTables,
    AuditTables,
    BroadcastsTables,
    ConsoleTables,
    ContactsTables,
    CoversTables,
    DeskTables,
    DirectTables,
    FoldersTables,
    GatewaysTables,
    HoldsTables,
    ImportsTables,
    InboundTables,
    IntakeTables,
    JobsTables,
    MailToFaxTables,
    NoticesTables,
    OutboundTables,
    PairingTables,
    PrintingTables,
    PrintRulesTables,
    RoutingTables,
    SettingsTables,
    SigningTables,
    StorageTables,
    SummaryTables,
    TelephonyTables,
    UpgradeTables,
    WebhooksTables,
    WorkTables {}
