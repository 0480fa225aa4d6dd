import { z } from 'zod';
import { AUDIT_OPERATIONS } from '../audit-operations.ts';
import { LIMITS } from '../limits.ts';
import { PolicyVersionNow, pageQuery } from './access-values.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Id, Time, wordList } from './values.ts';

const room = 'access';
const operations = Object.keys(AUDIT_OPERATIONS);

export const SecurityAuditEntry = z
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
    policy_version: PolicyVersionNow,
    request_id: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
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

export const auditRoutes = {
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
