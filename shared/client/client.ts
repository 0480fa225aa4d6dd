import { accessRoutes } from '../api/access.ts';
import { assignmentRoutes } from '../api/access-assignments.ts';
import { groupRoutes, roleRoutes } from '../api/access-groups.ts';
import { accessKeyRoutes } from '../api/access-keys.ts';
import { mailboxRoutes } from '../api/access-mailboxes.ts';
import { peopleRoutes } from '../api/access-people.ts';
import { accessSessionRoutes } from '../api/access-sessions.ts';
import { archivesRoutes } from '../api/archives.ts';
import { assistantRoutes } from '../api/assistant.ts';
import { auditRoutes } from '../api/audit.ts';
import { broadcastsRoutes } from '../api/broadcasts.ts';
import { casesRoutes } from '../api/cases.ts';
import { consoleRoutes } from '../api/console.ts';
import { contactsRoutes } from '../api/contacts.ts';
import { coversRoutes } from '../api/covers.ts';
import { dataKeyRoutes } from '../api/data-key.ts';
import { deskRoutes } from '../api/desk.ts';
import { directRoutes } from '../api/direct.ts';
import { directDeliveryRoutes } from '../api/direct-deliveries.ts';
import { gatewaysRoutes } from '../api/gateways.ts';
import { holdsRoutes } from '../api/holds.ts';
import { httpsRoutes } from '../api/https.ts';
import { importsRoutes } from '../api/imports.ts';
import { inboundRoutes } from '../api/inbound.ts';
import { junkRoutes } from '../api/inbound-junk.ts';
import { intakeRoutes } from '../api/intake.ts';
import { oauthRoutes } from '../api/intake-oauth.ts';
import { mailToFaxRoutes } from '../api/mail-to-fax.ts';
import { noticesRoutes } from '../api/notices.ts';
import { outboundRoutes } from '../api/outbound.ts';
import { pairingRoutes } from '../api/pairing.ts';
import { presenceRoutes } from '../api/presence.ts';
import { printRulesRoutes } from '../api/print-rules.ts';
import { printingRoutes } from '../api/printing.ts';
import { costRoutes } from '../api/routing-costs.ts';
import { destinationRoutes } from '../api/routing-destinations.ts';
import { limitRoutes } from '../api/routing-limits.ts';
import { rateRoutes } from '../api/routing-rates.ts';
import { deliveryRoutes } from '../api/routing-routes.ts';
import { scanningRoutes } from '../api/scanning.ts';
import { settingsRoutes } from '../api/settings.ts';
import { signingRoutes } from '../api/signing.ts';
import { storageRoutes } from '../api/storage.ts';
import { summaryRoutes } from '../api/summary.ts';
import { systemRoutes } from '../api/system.ts';
import { telephonyRoutes } from '../api/telephony.ts';
import { terminalRoutes } from '../api/terminal.ts';
import { upgradeRoutes } from '../api/upgrade.ts';
import { webhooksRoutes } from '../api/webhooks.ts';
import { workRoutes } from '../api/work.ts';
import { workExportRoutes } from '../api/work-export.ts';
import { workStatisticsRoutes } from '../api/work-statistics.ts';
import { type ClientOptions, createRooms, type Rooms } from './rooms.ts';

/** Every room. The console takes only those of the screen it shows: `renderer/api/client.ts` and `access.ts`. */
const ROOMS = {
  system: systemRoutes,
  access: accessRoutes,
  keys: accessKeyRoutes,
  people: peopleRoutes,
  groups: groupRoutes,
  roles: roleRoutes,
  assignments: assignmentRoutes,
  mailboxes: mailboxRoutes,
  pairing: pairingRoutes,
  archives: archivesRoutes,
  assistant: assistantRoutes,
  sessions: accessSessionRoutes,
  audit: auditRoutes,
  settings: settingsRoutes,
  outbound: outboundRoutes,
  broadcasts: broadcastsRoutes,
  cases: casesRoutes,
  covers: coversRoutes,
  desk: deskRoutes,
  printing: printingRoutes,
  scanning: scanningRoutes,
  inbound: inboundRoutes,
  junk: junkRoutes,
  intake: intakeRoutes,
  printRules: printRulesRoutes,
  mailOAuth: oauthRoutes,
  summary: summaryRoutes,
  mailToFax: mailToFaxRoutes,
  work: workRoutes,
  workExport: workExportRoutes,
  workStatistics: workStatisticsRoutes,
  presence: presenceRoutes,
  telephony: telephonyRoutes,
  contacts: contactsRoutes,
  holds: holdsRoutes,
  costs: costRoutes,
  destinations: destinationRoutes,
  limits: limitRoutes,
  rates: rateRoutes,
  deliveryRoutes,
  imports: importsRoutes,
  console: consoleRoutes,
  terminals: terminalRoutes,
  notices: noticesRoutes,
  upgrade: upgradeRoutes,
  storage: storageRoutes,
  dataKey: dataKeyRoutes,
  https: httpsRoutes,
  signing: signingRoutes,
  gateways: gatewaysRoutes,
  direct: { ...directRoutes, ...directDeliveryRoutes },
  webhooks: webhooksRoutes,
} as const;

export type Client = Rooms<typeof ROOMS>;

/**
 * The whole interface as functions, e.g. `client.outbound.getFax({ params: { id } })`. Calls throw ApiError when
 * refused, UnreachableError when there was no whole answer, and UnexpectedAnswerError when the answer does not fit.
 */
export function createClient(options: ClientOptions): Client {
  return createRooms(ROOMS, options);
}
