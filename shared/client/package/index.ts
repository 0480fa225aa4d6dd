export { ApiError, UnexpectedAnswerError, UnreachableError } from '../errors.ts';
export type {
  ErrorCode,
  FaxEvent,
  FaxFilter,
  FaxJob,
  FaxNumberCheck,
  InboundFax,
  InboundFaxCounts,
  InboundFilter,
  PluginConfig,
  PluginConfigWrite,
  PluginList,
  SendFields,
} from './contract.ts';
export { UncertainError, WaitTimeoutError } from './errors.ts';
export { Faxdesk, type Numbers } from './faxdesk.ts';
export type { AcceptedFax, Faxes, FaxFile, FaxOrder, ResendFields } from './faxes.ts';
export type { Inbound } from './inbound.ts';
export { newOperationId } from './operation-id.ts';
export type {
  CallOptions,
  ChangeOptions,
  DeprecationNotice,
  FaxdeskOptions,
  WaitOptions,
} from './options.ts';
export type { Page } from './pages.ts';
export type { Plugins } from './plugins.ts';
