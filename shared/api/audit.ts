import { z } from 'zod';
import { AUDIT_OPERATIONS } from '../audit-operations.ts';
import { LIMITS } from '../limits.ts';
import { PolicyVersionNow, pageQuery } from './access-values.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Id, Time } from './values.ts';

const room = 'access';
const operations = Object.keys(AUDIT_OPERATIONS);

export const SecurityAuditEntry = z
  .strictObject({
    id: Id,
    at: Time,
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
  operation: z
    .string()
    .max(LIMITS.permissionLength)
    .optional()
    .meta({ description: 'room and verb, e.g. `key.create`', examples: operations }),
  outcome: z.enum(['done', 'refused']).optional(),
  since: AnyTime.optional(),
  until: AnyTime.optional(),
};

export const auditRoutes = {
  listAudit: defineRoute({
    id: 'listAudit',
    room,
    method: 'GET',
    path: '/access/audit',
    summary: 'The security audit, newest first',
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
