import type { consoleRoutes } from '../../api/console.ts';
import type { inboundRoutes } from '../../api/inbound.ts';
import type { outboundRoutes } from '../../api/outbound.ts';
import type { RouteDefinition } from '../../api/route.ts';
import type { pluginRoutes } from '../../api/settings-plugins.ts';

/** A route without its schemas, which stay in the gateway. The compiler compares it with its definition. */
export interface Route<R extends RouteDefinition = RouteDefinition> {
  readonly method: R['method'];
  readonly path: R['path'];
  /** Status of a successful answer. */
  readonly status: R['answer']['status'];
}

const route = <R extends RouteDefinition>(
  method: R['method'],
  path: R['path'],
  status: R['answer']['status'],
): Route<R> => ({ method, path, status });

type Sent = typeof outboundRoutes;
type Received = typeof inboundRoutes;
type Plugin = typeof pluginRoutes;

/** The routes that the package calls. */
export const ROUTES = {
  sendFax: route<Sent['sendFax']>('POST', '/fax', 202),
  getFax: route<Sent['getFax']>('GET', '/fax/:id', 200),
  listFaxes: route<Sent['listFaxes']>('GET', '/fax', 200),
  cancelFax: route<Sent['cancelFax']>('POST', '/fax/:id/cancel', 200),
  resendFax: route<Sent['resendFax']>('POST', '/fax/:id/resend', 202),
  faxHistory: route<Sent['faxHistory']>('GET', '/fax/:id/history', 200),
  faxDocument: route<Sent['faxDocument']>('GET', '/fax/:id/document', 200),
  faxOriginal: route<Sent['faxOriginal']>('GET', '/fax/:id/original', 200),
  faxReport: route<Sent['faxReport']>('GET', '/fax/:id/report', 200),
  checkNumber: route<Sent['checkNumber']>('GET', '/fax/numbers/check', 200),
  listInbound: route<Received['pageInbound']>('GET', '/inbound/page', 200),
  countInbound: route<Received['countInbound']>('GET', '/inbound/counts', 200),
  getInbound: route<Received['getInbound']>('GET', '/inbound/:id', 200),
  inboundPdf: route<Received['inboundPdf']>('GET', '/inbound/:id/pdf', 200),
  markInbound: route<Received['markInbound']>('PUT', '/inbound/:id/read', 200),
  events: route<(typeof consoleRoutes)['events']>('GET', '/console/events', 200),
  listPlugins: route<Plugin['list']>('GET', '/plugins', 200),
  readPlugin: route<Plugin['read']>('GET', '/plugins/:id/config', 200),
  writePlugin: route<Plugin['write']>('PUT', '/plugins/:id/config', 200),
} as const;
