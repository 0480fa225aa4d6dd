import { z } from 'zod';
import { SESSION_SOURCES } from '../states/access.ts';
import {
  CurrentPolicyVersion,
  PolicyVersion,
  PrincipalName,
  pageQuery,
  policyPageOf,
} from './access-values.ts';
import { defineRoute } from './route.ts';
import { Id, OptionalTime, Time } from './values.ts';

const room = 'access';
const badBody = 'sentence';

export const AccessSession = z
  .strictObject({
    session_id: Id,
    principal: PrincipalName,
    source_kind: z.enum(SESSION_SOURCES),
    device: z.string().describe('name that the browser gave itself, shortened; empty if it gave none'),
    address: z.string().describe('address of the sign-in'),
    created_at: Time,
    last_used_at: Time,
    expires_at: Time,
    revoked_at: OptionalTime,
    current: z.boolean(),
  })
  .meta({ id: 'AccessSession' });

export const accessSessionRoutes = {
  listAccessSessions: defineRoute({
    id: 'listAccessSessions',
    room,
    method: 'GET',
    path: '/access/sessions',
    summary: 'List everyone’s sessions, newest first',
    description: 'Returns the caller’s own sessions. Sessions of others require sessions:read.',
    access: 'signed-in',
    query: z.strictObject({ principal_id: Id.optional(), live: z.stringbool().default(false), ...pageQuery }),
    refusals: ['not_allowed'],
    answer: { status: 200, schema: policyPageOf(AccessSession) },
  }),
  revokeAccessSession: defineRoute({
    id: 'revokeAccessSession',
    room,
    method: 'POST',
    path: '/access/sessions/:session_id/revoke',
    summary: 'End a session',
    description: 'Works for the caller’s own sessions. Sessions of others require sessions:revoke.',
    access: 'signed-in',
    audited: { operation: 'session.revoke', target: 'session', param: 'session_id' },
    badBody,
    params: z.strictObject({ session_id: Id }),
    body: z.strictObject({ expected_policy_version: PolicyVersion }),
    answer: {
      status: 200,
      schema: z.strictObject({ session_id: Id, changed: z.boolean(), policy_version: CurrentPolicyVersion }),
    },
    refusals: ['no_such_session', 'not_allowed', 'person_holds_more', 'stale'],
  }),
} as const;
