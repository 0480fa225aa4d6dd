import { z } from 'zod';
import { createComponents, type Json } from '../server/http/json-schema.ts';
import { describeProperties } from '../server/http/property-words.ts';
import { CoverFields } from '../shared/api/covers.ts';
import { inboundRoutes } from '../shared/api/inbound.ts';
import { InboundCounts, InboundFax } from '../shared/api/inbound-shapes.ts';
import { outboundRoutes } from '../shared/api/outbound.ts';
import { PageEdits } from '../shared/api/outbound-edits.ts';
import { FaxEvent, FaxJob, NumberCheck } from '../shared/api/outbound-shapes.ts';
import { pluginRoutes } from '../shared/api/settings-plugins.ts';
import { ERROR_CODES } from '../shared/errors/all.ts';

const fieldsOf = (schema: z.ZodObject, left: readonly string[]) =>
  z.strictObject(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !left.includes(name))));

/** The types of `shared/client/package/contract.ts`, by their names there. */
const TYPES: Readonly<Record<string, readonly [schema: z.ZodType, io: 'input' | 'output']>> = {
  FaxJob: [FaxJob, 'output'],
  FaxEvent: [FaxEvent, 'output'],
  FaxNumberCheck: [NumberCheck, 'output'],
  SendFields: [
    fieldsOf(outboundRoutes.sendFax.form.fields, ['titles', 'printed']).extend({
      page_edits: PageEdits.optional().describe(
        'changes to the pages of each file; null for a file as it is',
      ),
      cover_fields: CoverFields.optional().describe('values on the cover page, by field'),
    }),
    'input',
  ],
  FaxFilter: [fieldsOf(outboundRoutes.listFaxes.query, ['cursor']), 'input'],
  InboundFax: [InboundFax, 'output'],
  InboundFaxCounts: [InboundCounts, 'output'],
  InboundFilter: [fieldsOf(inboundRoutes.pageInbound.query, ['cursor']), 'input'],
  PluginList: [pluginRoutes.list.answer.schema, 'output'],
  PluginConfig: [pluginRoutes.read.answer.schema, 'output'],
  PluginConfigWrite: [pluginRoutes.write.body, 'input'],
};

/** Writes the types out in full, without the library of the schemas: declarations of TypeScript, sorted by name. */
export function contractTypes(): string {
  const components = createComponents();
  const written: Record<string, Json> = {};
  for (const [name, [schema, io]] of Object.entries(TYPES)) {
    const { $ref, ...rest } = components.schemaOf(schema, io);
    written[name] = $ref === undefined ? rest : { ...(components.schemas[nameOf($ref)] as Json) };
  }
  const all: Record<string, Json> = { ...(components.schemas as Record<string, Json>), ...written };
  // A schema has the name of its component; where the package has another, the component is left out.
  for (const [id, [schema]] of Object.entries(TYPES)) {
    const name = schema.meta()?.id;
    if (name !== undefined && name !== id && !(name in TYPES)) delete all[name];
  }
  describeProperties([all], all);
  return [
    ...Object.entries(all)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(declaration),
    errorCodes(),
  ].join('\n\n');
}

function errorCodes(): string {
  const codes = ERROR_CODES.map((code) => `\n  | '${code}'`).join('');
  return `/** Codes of refusals. A newer gateway may send others. */\nexport type ErrorCode =${codes};`;
}

function declaration([name, schema]: readonly [string, Json]): string {
  const words = comment(schema['description'], '');
  if (schema['properties'] === undefined) return `${words}export type ${name} = ${typeOf(schema, '')};`;
  return `${words}export interface ${name} ${typeOf(schema, '')}`;
}

function comment(description: unknown, indent: string): string {
  if (typeof description !== 'string') return '';
  return `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`;
}

const nameOf = (ref: unknown) => String(ref).replace('#/components/schemas/', '');

/** Returns the type of a JSON Schema. Throws for a form that the contract does not have so far. */
function typeOf(schema: Json, indent: string): string {
  if (schema['$ref'] !== undefined) return nameOf(schema['$ref']);
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, indent)))].join(' | ');
  if (schema['enum'] !== undefined) return (schema['enum'] as unknown[]).map(literal).join(' | ');
  if (schema['const'] !== undefined) return literal(schema['const']);
  if (Array.isArray(schema['type']))
    return schema['type'].map((type) => typeOf({ ...schema, type: type as unknown }, indent)).join(' | ');
  switch (schema['type']) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema['type'];
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `Array<${typeOf(schema['items'] as Json, indent)}>`;
    case 'object':
      return objectType(schema, indent);
    case undefined:
      return 'unknown';
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

function objectType(schema: Json, indent: string): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Json>);
  const other = schema['additionalProperties'];
  if (properties.length === 0)
    return `Record<string, ${typeof other === 'object' ? typeOf(other as Json, indent) : 'unknown'}>`;
  const required = (schema['required'] ?? []) as string[];
  const inner = `${indent}  `;
  const rows = properties.map(
    ([name, property]) =>
      `${comment(property['description'], inner)}${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(property, inner)};\n`,
  );
  return `{\n${rows.join('')}${indent}}`;
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
