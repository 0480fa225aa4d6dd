import { accessRoutes } from './access.ts';
import { assignmentRoutes } from './access-assignments.ts';
import { groupRoutes, roleRoutes } from './access-groups.ts';
import { accessKeyRoutes } from './access-keys.ts';
import { mailboxRoutes } from './access-mailboxes.ts';
import { passkeyRoutes } from './access-passkeys.ts';
import { peopleRoutes } from './access-people.ts';
import { quickSignInRoutes } from './access-quick-sign-in.ts';
import { accessSessionRoutes } from './access-sessions.ts';
import { twoFactorRoutes } from './access-two-factor.ts';
import { archivesRoutes } from './archives.ts';
import { assistantEventRoutes, assistantProtocolRoutes, assistantRoutes } from './assistant.ts';
import { auditRoutes } from './audit.ts';
import { broadcastsRoutes } from './broadcasts.ts';
import { casesRoutes } from './cases.ts';
import { consoleRoutes } from './console.ts';
import { contactsRoutes } from './contacts.ts';
import { coversRoutes } from './covers.ts';
import { dataKeyRoutes } from './data-key.ts';
import { deskRoutes } from './desk.ts';
import { directRoutes } from './direct.ts';
import { directDeliveryRoutes } from './direct-deliveries.ts';
import { gatewaysRoutes } from './gateways.ts';
import { holdsRoutes } from './holds.ts';
import { httpsRoutes } from './https.ts';
import { importsRoutes } from './imports.ts';
import { inboundRoutes, olderInboundRoutes } from './inbound.ts';
import { junkRoutes } from './inbound-junk.ts';
import { intakeRoutes } from './intake.ts';
import { oauthRoutes } from './intake-oauth.ts';
import { mailToFaxRoutes } from './mail-to-fax.ts';
import { noticesRoutes } from './notices.ts';
import { olderFaxRoutes, outboundRoutes } from './outbound.ts';
import { pairingRoutes } from './pairing.ts';
import { presenceRoutes } from './presence.ts';
import { printRulesRoutes } from './print-rules.ts';
import { printingRoutes } from './printing.ts';
import type { RouteDefinition } from './route.ts';
import { costRoutes } from './routing-costs.ts';
import { destinationRoutes } from './routing-destinations.ts';
import { limitRoutes } from './routing-limits.ts';
import { rateRoutes } from './routing-rates.ts';
import { deliveryRoutes } from './routing-routes.ts';
import { scanningRoutes } from './scanning.ts';
import { settingsRoutes } from './settings.ts';
import { pluginRoutes } from './settings-plugins.ts';
import { signingRoutes } from './signing.ts';
import { storageRoutes } from './storage.ts';
import { summaryRoutes } from './summary.ts';
import { systemRoutes } from './system.ts';
import { telephonyRoutes } from './telephony.ts';
import { terminalRoutes } from './terminal.ts';
import { upgradeRoutes } from './upgrade.ts';
import { webhooksRoutes } from './webhooks.ts';
import { workRoutes } from './work.ts';
import { workExportRoutes } from './work-export.ts';
import { workStatisticsRoutes } from './work-statistics.ts';

/** Every route of this release, in the order of the documentation. */
export const allRoutes: readonly RouteDefinition[] = [
  ...Object.values(outboundRoutes),
  ...Object.values(broadcastsRoutes),
  ...Object.values(casesRoutes),
  ...Object.values(coversRoutes),
  ...Object.values(deskRoutes),
  ...Object.values(printingRoutes),
  ...Object.values(scanningRoutes),
  ...Object.values(junkRoutes),
  ...Object.values(inboundRoutes),
  ...Object.values(workStatisticsRoutes),
  ...Object.values(workRoutes),
  ...Object.values(workExportRoutes),
  ...Object.values(presenceRoutes),
  ...Object.values(intakeRoutes),
  ...Object.values(printRulesRoutes),
  ...Object.values(oauthRoutes),
  ...Object.values(summaryRoutes),
  ...Object.values(mailToFaxRoutes),
  ...Object.values(telephonyRoutes),
  ...Object.values(contactsRoutes),
  ...Object.values(holdsRoutes),
  ...Object.values(archivesRoutes),
  ...Object.values(costRoutes),
  ...Object.values(destinationRoutes),
  ...Object.values(limitRoutes),
  ...Object.values(rateRoutes),
  ...Object.values(deliveryRoutes),
  ...Object.values(importsRoutes),
  ...Object.values(accessRoutes),
  ...Object.values(twoFactorRoutes),
  ...Object.values(quickSignInRoutes),
  ...Object.values(passkeyRoutes),
  ...Object.values(groupRoutes),
  ...Object.values(roleRoutes),
  ...Object.values(assignmentRoutes),
  ...Object.values(accessKeyRoutes),
  ...Object.values(webhooksRoutes),
  ...Object.values(directRoutes),
  ...Object.values(directDeliveryRoutes),
  ...Object.values(mailboxRoutes),
  ...Object.values(peopleRoutes),
  ...Object.values(accessSessionRoutes),
  ...Object.values(auditRoutes),
  ...Object.values(pairingRoutes),
  ...Object.values(assistantRoutes),
  ...Object.values(assistantProtocolRoutes),
  ...Object.values(settingsRoutes),
  ...Object.values(consoleRoutes),
  ...Object.values(terminalRoutes),
  ...Object.values(noticesRoutes),
  ...Object.values(upgradeRoutes),
  ...Object.values(storageRoutes),
  ...Object.values(dataKeyRoutes),
  ...Object.values(httpsRoutes),
  ...Object.values(signingRoutes),
  ...Object.values(gatewaysRoutes),
  ...Object.values(systemRoutes),
  ...Object.values(olderFaxRoutes),
  ...Object.values(olderInboundRoutes),
  ...Object.values(assistantEventRoutes),
  ...Object.values(pluginRoutes),
];
