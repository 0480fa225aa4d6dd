import type { Command } from 'commander';
import { addArchiveCommands } from './commands/archives.ts';
import { addAssistant } from './commands/assistant.ts';
import { addAuditCommands } from './commands/audit.ts';
import { addBackupCommands } from './commands/backup.ts';
import { addBroadcastsCommands } from './commands/broadcasts.ts';
import { addCasesCommands } from './commands/cases.ts';
import { addCompletionCommands } from './commands/completion.ts';
import { addComputerServiceCommands } from './commands/computer-service.ts';
import { addConnectorsCommands } from './commands/connectors.ts';
import { addContactsCommands } from './commands/contacts.ts';
import { addCostsCommands } from './commands/costs.ts';
import { addCoversCommands } from './commands/covers.ts';
import { addDataKeyCommands } from './commands/data-key.ts';
import { addDefaultsCommands } from './commands/defaults.ts';
import { addDeliveriesCommands } from './commands/deliveries.ts';
import { addRoutesCommands } from './commands/delivery-routes.ts';
import { addDiagnose } from './commands/diagnose.ts';
import { addDirectCommands } from './commands/direct.ts';
import { addDirectDeliveriesCommand } from './commands/direct-deliveries.ts';
import { addPartnersCommands } from './commands/direct-partners.ts';
import { addDraftsCommands } from './commands/drafts.ts';
import { addGatewaysCommands } from './commands/gateways.ts';
import { addGrantsCommands } from './commands/grants.ts';
import { addGroupsCommands } from './commands/groups.ts';
import { addHoldsCommands } from './commands/holds.ts';
import { addHttpsCommands } from './commands/https.ts';
import { addImport } from './commands/import.ts';
import { addInboundCommands } from './commands/inbound.ts';
import { addIntegrationsCommands } from './commands/integrations.ts';
import { addJobsCommands } from './commands/jobs.ts';
import { addKeysCommands } from './commands/keys.ts';
import { addMailToFaxCommands } from './commands/mail-to-fax.ts';
import { addMailboxesCommands } from './commands/mailboxes.ts';
import { addMove } from './commands/move.ts';
import { addNoticesCommands } from './commands/notices.ts';
import { addPair } from './commands/pair.ts';
import { addPeopleCommands } from './commands/people.ts';
import { addPrintRulesCommands } from './commands/print-rules.ts';
import { addPrinterCommands } from './commands/printer.ts';
import { addPrintoutsCommands } from './commands/printouts.ts';
import { addRecoverOwner } from './commands/recover-owner.ts';
import { addRolesCommands } from './commands/roles.ts';
import { addRulesCommands } from './commands/rules.ts';
import { addScannersCommands } from './commands/scanners.ts';
import { addSend } from './commands/send.ts';
import { addServiceCommands } from './commands/service.ts';
import { addSessionsCommands } from './commands/sessions.ts';
import { addSettingsCommands } from './commands/settings.ts';
import { addSignaturesCommands } from './commands/signatures.ts';
import { addSigningCommands } from './commands/signing.ts';
import { addStorageCommands } from './commands/storage.ts';
import { addSummaryCommands } from './commands/summary.ts';
import { addTelephonyCommands } from './commands/telephony.ts';
import { addUpgrade } from './commands/upgrade.ts';
import { addUsersCommands } from './commands/users.ts';
import { addVerifyEvidence } from './commands/verify-evidence.ts';
import { addVerifyReport } from './commands/verify-report.ts';
import { addWatch } from './commands/watch.ts';
import { addWebhooksCommands } from './commands/webhooks.ts';
import { addWorkCommands } from './commands/work.ts';
import { createServeProgram } from './serve-program.ts';

const AFTER = `
Examples:
  faxdesk serve --data /srv/faxdesk --port 8080
  faxdesk settings change FAX_ORGANIZATION="Example Clinic" FAX_NUMBER=+12025550100
  faxdesk send "(202) 555-0123" referral.pdf --wait
  faxdesk jobs list --state reconciliation_required
  faxdesk cases send 4711 --to "(202) 555-0123" lab.pdf referral.pdf
  faxdesk broadcasts create hours.pdf --recipients list.csv
  faxdesk watch --state submitting,in_progress
  faxdesk inbound list --status waiting
  faxdesk work list --view overdue

Exit codes: 0 done, 1 refused or failed, 2 usage, 3 no or bad key, 4 not allowed, 5 not found, 6 conflict,
7 rate limit, 8 unreachable, 9 bad values, 10 gateway running, 130 interrupted.

On the gateway’s computer, commands find its address and key in the data folder. On other computers, give --url and --key,
or set FAXDESK_URL and FAXDESK_API_KEY.`;

/** Creates every command of `faxdesk`; `after` follows the help of the program. */
export function createProgram(after = AFTER): Command {
  const program = createServeProgram(after);
  addServiceCommands(program);
  addComputerServiceCommands(program);
  addSend(program);
  addJobsCommands(program);
  addWatch(program);
  addInboundCommands(program);
  addImport(program);
  addWorkCommands(program);
  addCasesCommands(program);
  addBroadcastsCommands(program);
  addHoldsCommands(program);
  addArchiveCommands(program);
  addContactsCommands(program);
  addCoversCommands(program);
  addDefaultsCommands(program);
  addDraftsCommands(program);
  addSignaturesCommands(program);
  addRoutesCommands(program);
  addCostsCommands(program);
  addConnectorsCommands(program);
  addDeliveriesCommands(program);
  addPrintRulesCommands(program);
  addPrintoutsCommands(program);
  addMailToFaxCommands(program);
  addSummaryCommands(program);
  addPeopleCommands(program);
  addUsersCommands(program);
  addIntegrationsCommands(program);
  addGroupsCommands(program);
  addRolesCommands(program);
  addGrantsCommands(program);
  addMailboxesCommands(program);
  addRulesCommands(program);
  addSessionsCommands(program);
  addAuditCommands(program);
  addKeysCommands(program);
  addWebhooksCommands(program);
  const direct = addDirectCommands(program);
  addPartnersCommands(direct);
  addDirectDeliveriesCommand(direct);
  addPair(program);
  addAssistant(program);
  addSettingsCommands(program);
  addStorageCommands(program);
  addDataKeyCommands(program);
  addGatewaysCommands(program);
  addHttpsCommands(program);
  addPrinterCommands(program);
  addScannersCommands(program);
  addTelephonyCommands(program);
  addSigningCommands(program);
  addVerifyEvidence(program);
  addVerifyReport(program);
  addBackupCommands(program);
  addUpgrade(program);
  addMove(program);
  addRecoverOwner(program);
  addNoticesCommands(program);
  addDiagnose(program);
  addCompletionCommands(program);
  return program;
}
