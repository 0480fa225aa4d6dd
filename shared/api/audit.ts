import { z } from 'zod';
import { AUDIT_OPERATIONS } from '../audit-operations.ts';
import { LIMITS } from '../limits.ts';
import { CurrentPolicyVersion, pageQuery } from './access-values.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Id, Time, wordList } from './values.ts';

const room = 'access';
const operations = Object.keys(AUDIT_OPERATIONS);

const AuditedFax = z
  .strictObject({
    id: Id,
    direction: z.enum(['sent', 'received']),
    number: z.string().describe('of the other side: E.164, or "Unknown"'),
    name: z.string().nullable().describe('of the contact; needs contacts:read'),
    pages: z.number().int().min(0).nullable().describe('of the document'),
    created_at: Time,
  })
  .meta({ id: 'AuditedFax' });

const SecurityAuditEntry = z
  .strictObject({
    id: Id,
    at: Time.describe('of what is counted, the first time'),
    last_at: Time.describe('the same unless it is counted'),
    count: z.number().int().min(1).describe('how often within the hour; 1 unless it is counted'),
    actor: z.strictObject({ id: Id.nullable(), name: z.string() }),
    credential_kind: z.string(),
    operation: z.string().meta({ examples: operations }),
    target: z.strictObject({ kind: z.string(), id: z.string().nullable() }),
    outcome: z.enum(['done', 'refused']),
    policy_version: CurrentPolicyVersion,
    request_id: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    fax: AuditedFax.nullable().describe(
      'the fax of the target; null for any other target, after the fax was deleted, and for a fax that the caller may not see',
    ),
    seq: z.number().int().min(1).describe('its number in the chain of records'),
    digest: z.string().describe('SHA-256 of the record as first written, with that of the one before'),
  })
  .meta({ id: 'SecurityAuditEntry' });

const auditFilter = {
  actor_id: Id.optional(),
  target_id: z.string().max(LIMITS.resourceIdLength).optional(),
  operation: wordList(LIMITS.permissionLength)
    .optional()
    .meta({ description: 'room and verb, e.g. `key.create`; repeated or with commas', examples: operations }),
  outcome: z.enum(['done', 'refused']).optional(),
  since: AnyTime.optional().describe('at this time or later, if only the last time'),
  until: AnyTime.optional().describe('before this time, if only the first time'),
};

const AuditVerification = z
  .strictObject({
    intact: z.boolean(),
    checked: z.number().int().min(0).describe('entries of the chain that are as they were written'),
    first_problem: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe('number of the first record that is missing or altered; 0 is the end'),
    end_checked: z.boolean().describe('whether the end was compared with the sealed one'),
    sentence: z.string(),
  })
  .meta({ id: 'AuditVerification' });

export const auditRoutes = {
  verifyAudit: defineRoute({
    id: 'verifyAudit',
    room,
    method: 'GET',
    path: '/access/audit/verify',
    summary: 'Whether the security audit is complete and unchanged',
    description: 'Each record holds the digest of the one before. The whole chain is read.',
    access: 'audit:read',
    answer: { status: 200, schema: AuditVerification },
  }),
  listAudit: defineRoute({
    id: 'listAudit',
    room,
    method: 'GET',
    path: '/access/audit',
    summary: 'The security audit, newest first',
    description:
      'Opening documents, uses of the installation key and refused changes are counted: one record for the same by the same caller within an hour.',
    access: 'audit:read',
    query: z.strictObject({ ...auditFilter, ...pageQuery }),
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(SecurityAuditEntry), next_cursor: z.string().nullable() }),
    },
  }),
  exportAudit: defineRoute({
    id: 'exportAudit',
    room,
    method: 'GET',
    path: '/access/audit/export',
    summary: 'The security audit as a file, newest first',
    description:
      '`csv`: one line each, safe to open in a spreadsheet. `json`: a list of what GET /access/audit shows.',
    access: 'audit:read',
    query: z.strictObject({ format: z.enum(['csv', 'json']).default('csv'), ...auditFilter }),
    answer: { status: 200, contentType: 'application/octet-stream' },
  }),
} as const;
