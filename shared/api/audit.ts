import { z } from 'zod';
import { AUDIT_OPERATIONS } from '../audit-operations.ts';
import { LIMITS } from '../limits.ts';
import { CurrentPolicyVersion, pageQuery } from './access-values.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Id, NextCursor, Time, wordList } from './values.ts';

const room = 'access';
const operations = Object.keys(AUDIT_OPERATIONS);

const AuditedFax = z
  .strictObject({
    id: Id,
    direction: z.enum(['sent', 'received']),
    number: z.string().describe('number of the other side: E.164, or "Unknown"'),
    name: z.string().nullable().describe('name of the contact; requires contacts:read'),
    pages: z.number().int().min(0).nullable().describe('pages of the document'),
    created_at: Time,
  })
  .meta({ id: 'AuditedFax' });

const SecurityAuditEntry = z
  .strictObject({
    id: Id,
    at: Time.describe('time of the event; for counted entries, the first time'),
    last_at: Time.describe('for counted entries, the last time; otherwise the same as at'),
    count: z.number().int().min(1).describe('number of times within the hour; 1 unless the entry is counted'),
    actor: z.strictObject({ id: Id.nullable(), name: z.string() }),
    credential_kind: z.string(),
    operation: z.string().meta({ examples: operations }),
    target: z.strictObject({ kind: z.string(), id: z.string().nullable() }),
    outcome: z.enum(['done', 'refused']),
    policy_version: CurrentPolicyVersion,
    request_id: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    fax: AuditedFax.nullable().describe(
      'fax of the target; null for any other target, for a deleted fax, and for a fax that the caller cannot see',
    ),
    seq: z.number().int().min(1).describe('number in the chain of records'),
    digest: z.string().describe('SHA-256 of the record as first written and of the digest before it'),
  })
  .meta({ id: 'SecurityAuditEntry' });

const auditFilter = {
  actor_id: Id.optional(),
  target_id: z.string().max(LIMITS.resourceIdLength).optional(),
  operation: wordList(LIMITS.permissionLength).optional().meta({
    description: 'area and verb, e.g. `key.create`; repeat the parameter or use commas for several',
    examples: operations,
  }),
  outcome: z.enum(['done', 'refused']).optional(),
  since: AnyTime.optional().describe('only entries whose last time is this time or later'),
  until: AnyTime.optional().describe('only entries whose first time is before this time'),
};

const AuditVerification = z
  .strictObject({
    intact: z.boolean(),
    checked: z.number().int().min(0).describe('number of entries in the chain that are unchanged'),
    first_problem: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe('number of the first record that is missing or altered; 0 means the end'),
    end_checked: z.boolean().describe('true if the end was compared with the sealed end'),
    sentence: z.string(),
  })
  .meta({ id: 'AuditVerification' });

export const auditRoutes = {
  verifyAudit: defineRoute({
    id: 'verifyAudit',
    room,
    method: 'GET',
    path: '/access/audit/verify',
    summary: 'Check that the security audit is complete and unchanged',
    description: 'Each record contains the digest of the previous record. This reads the whole chain.',
    access: 'audit:read',
    answer: { status: 200, schema: AuditVerification },
  }),
  listAudit: defineRoute({
    id: 'listAudit',
    room,
    method: 'GET',
    path: '/access/audit',
    summary: 'List the security audit, newest first',
    description:
      'Opened documents, uses of the installation key, and refused changes are counted: repeated events by one caller within an hour are one record.',
    access: 'audit:read',
    query: z.strictObject({ ...auditFilter, ...pageQuery }),
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(SecurityAuditEntry), next_cursor: NextCursor }),
    },
  }),
  exportAudit: defineRoute({
    id: 'exportAudit',
    room,
    method: 'GET',
    path: '/access/audit/export',
    summary: 'Download the security audit as a file, newest first',
    description:
      '`csv` has one line per record and is safe to open in a spreadsheet. `json` is a list of the records of GET /access/audit.',
    access: 'audit:read',
    query: z.strictObject({ format: z.enum(['csv', 'json']).default('csv'), ...auditFilter }),
    answer: { status: 200, contentType: 'application/octet-stream' },
  }),
} as const;
