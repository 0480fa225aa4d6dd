import type { z } from 'zod';
import type { CoverFields } from '../../api/covers.ts';
import type { inboundRoutes } from '../../api/inbound.ts';
import type { InboundCounts, InboundFax as InboundFaxShape } from '../../api/inbound-shapes.ts';
import type { outboundRoutes } from '../../api/outbound.ts';
import type { PageEdits } from '../../api/outbound-edits.ts';
import type {
  FaxEvent as FaxEventShape,
  FaxJob as FaxJobShape,
  NumberCheck,
} from '../../api/outbound-shapes.ts';
import type { pluginRoutes } from '../../api/settings-plugins.ts';

// The types of the package, each from its schema of the contract. `scripts/client-types.ts` writes the same types out in
// full for the published package, which has no schemas.

export type { ErrorCode } from '../../errors/all.ts';

type Listed<R extends { query: z.ZodType }> = Partial<z.output<R['query']>>;

export type FaxJob = z.infer<typeof FaxJobShape>;
export type FaxEvent = z.infer<typeof FaxEventShape>;
export type FaxNumberCheck = z.infer<typeof NumberCheck>;
/** Fields of a fax to send, beside its files. */
export type SendFields = Pick<SendInput, 'to'> &
  Partial<Omit<SendInput, 'to' | 'titles' | 'printed' | keyof JsonFields>> &
  JsonFields;
/** Fields that the client writes as JSON text. */
interface JsonFields {
  page_edits?: z.input<typeof PageEdits>;
  cover_fields?: z.input<typeof CoverFields>;
}
type SendInput = z.output<(typeof outboundRoutes.sendFax)['form']['fields']>;
export type FaxFilter = Omit<Listed<typeof outboundRoutes.listFaxes>, 'cursor'>;
export type InboundFax = z.infer<typeof InboundFaxShape>;
export type InboundFaxCounts = z.infer<typeof InboundCounts>;
export type InboundFilter = Omit<Listed<typeof inboundRoutes.pageInbound>, 'cursor'>;
export type PluginList = z.infer<typeof pluginRoutes.list.answer.schema>;
export type PluginConfig = z.infer<typeof pluginRoutes.read.answer.schema>;
export type PluginConfigWrite = z.infer<typeof pluginRoutes.write.body>;
