import { setTimeout } from 'node:timers/promises';
import { IppPrinter } from '../../setup/emulators/printer/ipp-printer.ts';
import { type MailServer, startMailServer } from '../../setup/mail-server.ts';
import { callAssistantSessions } from './assistant.ts';
import type { Examples } from './examples.ts';

/** Settings, the console, backups, telephony and what the gateway reports about itself. */
export async function callInstallation(x: Examples, session: Record<string, string>): Promise<void> {
  await x.call('readSettings');
  await x.call('writeSettings', { json: { changes: { FAX_ORGANIZATION: 'Example Clinic North' } } });
  await x.call('validateSettings', { json: { provider: 'cloudone' } });
  await x.call('listSettingsRevisions');
  await x.call('persistSettings');
  await x.call('getContext');
  await x.call('listConsoleChanges');
  await x.call('streamConsoleEvents');
  await x.call('getInstallation');
  await x.call('showCallbackAddress', { params: { backend: 'cloudone' } });
  await x.call('getDraftKey', { key: null, session });
  await x.call('getConsoleStatus');
  await x.call('listConsoleLogs', { query: { limit: '20' } });
  await x.call('downloadConsoleLog');
  await x.call('downloadProblemReport');
  await x.call('listNotices');
  await x.call('readUpgrade');
  await x.call('readHttps');
  await x.call('listSigningKeys');
  await x.call('listGateways');
  await x.call('getHealth', { key: null });
  await x.call('getReadiness', { key: null });
  await x.call('getMetrics');
  await x.call('getOpenApi', { key: null });
  await x.call('getConsoleOpenApi', { key: null });
  await x.call('listPlugins');
  await x.call('readPluginConfig', { params: { id: 'cloudone' } });
  await x.call('writePluginConfig', {
    params: { id: 'cloudtwo' },
    json: { enabled: false, settings: { CLOUDTWO_PROJECT_ID: 'project-7' } },
  });
  await x.call('listTelephonyPresets');
  await x.call('getTelephonyLine');
  await x.call('listTelephonyCalls');
  await callBackups(x);
  await callMail(x);
  await callAssistant(x);
  await callAssistantSessions(x);
}

async function callBackups(x: Examples): Promise<void> {
  const { name } = await x.call('makeBackup');
  const params = { name };
  while ((await x.call('readBackup', { params })).state === 'running') await setTimeout(20);
  await x.call('listBackups');
  await x.call('downloadBackup', { params });
  await x.call('restoreBackup', { params });
  await x.call('removeBackup', { params });
}

async function callMail(x: Examples): Promise<void> {
  const mail = await startMailServer();
  await callConnectors(x, mail);
  await mail.close();
  await callPrinting(x);
  await x.call('listMailToFaxMessages');
  const { items } = await x.call('listUsers');
  const owner = items.find(({ login }: { login: string }) => login === 'mara');
  const sender = await x.call('addMailSender', {
    json: { address: 'ann@example.com', principal_id: owner.id },
  });
  await x.call('listMailSenders');
  await x.call('removeMailSender', { params: { id: sender.id } });
}

/** A delivery whose connection broke off after the whole message. */
async function callDoubtfulDelivery(x: Examples, mail: MailServer): Promise<void> {
  mail.faults = { cut: 'after data' };
  await x.call('testInbound', { json: { to_number: '+12025550100' } });
  await x.gateway.processAll();
  mail.faults = {};
  const { items } = await x.call('listDeliveries', { query: { state: 'uncertain' } });
  const [{ id, version }] = items;
  await x.call('confirmDelivery', { params: { id }, json: { outcome: 'arrived', version } });
}

/** E-mail connectors and what they delivered. */
async function callConnectors(x: Examples, mail: MailServer): Promise<void> {
  const fields = {
    name: 'Front desk',
    host: '127.0.0.1',
    from_address: 'fax@example.com',
    recipients: ['desk@example.com'],
    security: 'none',
    port: mail.port,
  };
  const connector = await x.call('createConnector', { json: fields });
  const params = { id: connector.id };
  await x.call('listConnectors');
  const changed = await x.call('changeConnector', {
    params,
    json: { ...fields, recipients: ['desk@example.com', 'lab@example.com'], version: connector.version },
  });
  await x.call('testConnector', { params });
  await x.call('testInbound', { json: { to_number: '+12025550100' } });
  mail.faults = { recipients: { 'lab@example.com': { code: 550, text: 'No such user' } } };
  await x.gateway.processAll();
  mail.faults = {};
  const { items } = await x.call('listDeliveries');
  await x.call('retryDelivery', { params: { id: items[0].id } });
  await x.gateway.processAll();
  await callDoubtfulDelivery(x, mail);
  await x.gateway.set({ SUMMARY_CONNECTOR: 'Front desk', SUMMARY_RECIPIENTS: ['desk@example.com'] });
  await x.call('readSummary');
  await x.call('sendSummary');
  const named = await x.call('changeConnector', {
    params,
    json: { ...fields, username: 'fax@example.com', version: changed.version },
  });
  await x.call('setConnectorOAuth', {
    params,
    json: {
      provider: 'microsoft',
      client_id: 'client',
      refresh_token: 'token',
      tenant: 'example.org',
      version: named.version,
    },
  });
  const without = await x.call('removeConnectorOAuth', { params });
  await x.call('removeConnector', { params, json: { version: without.version } });
}

/** Print rules and what they printed. */
async function callPrinting(x: Examples): Promise<void> {
  const printer = new IppPrinter();
  await printer.open();
  const fields = {
    name: 'Front desk on paper',
    printer: 'Reception',
    printer_url: printer.url,
    hours: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
  };
  await x.call('checkPrinter', { json: { printer_url: printer.url } });
  const rule = await x.call('createPrintRule', { json: fields });
  const params = { id: rule.id };
  await x.call('listPrintRules');
  const changed = await x.call('changePrintRule', {
    params,
    json: { ...fields, hours: null, version: rule.version },
  });
  await x.call('testInbound', { json: { to_number: '+12025550100' } });
  await x.gateway.processAll();
  const [job] = printer.jobs;
  if (job) printer.end(job, 7);
  x.gateway.clock.advance(60_000);
  await x.gateway.processAll();
  const { items } = await x.call('listPrintouts');
  const again = await x.call('retryPrintout', { params: { id: items[0].id } });
  await x.call('confirmPrintout', {
    params: { id: again.id },
    json: { outcome: 'do_not_print', version: again.version },
  });
  await x.call('removePrintRule', { params, json: { version: changed.version } });
  await printer.close();
}

async function callAssistant(x: Examples): Promise<void> {
  await x.gateway.set({ ASSISTANT_ENABLED: true });
  const { token } = await x.call('createKey', {
    json: { name: 'Assistant', scopes: ['fax:send', 'fax:read'] },
  });
  await x.call('getAssistantRules', { key: token });
  const json = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'desk-helper', version: '1.2.3' },
    },
  };
  const headers = { Accept: 'application/json, text/event-stream' };
  await x.call('sendAssistantMessage', { key: token, headers, json });
}
