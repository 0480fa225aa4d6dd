import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { ALL_PERMISSIONS } from '../permissions.ts';
import { PRINCIPAL_KINDS } from '../states/access.ts';
import { VISIBLE_LINE, VISIBLE_RULE, VISIBLE_TEXT } from '../visible-text.ts';
import { Cursor, Id, ListLimit, NextCursor, Time, Version } from './values.ts';

/** Shapes that every route of access management uses. */
export const PermissionName = z
  .enum(ALL_PERMISSIONS as [(typeof ALL_PERMISSIONS)[number]])
  .meta({ id: 'Permission', description: 'permission, by its name' });
export const PolicyVersion = z
  .number()
  .int()
  .min(1)
  .meta({ id: 'ExpectedPolicyVersion', description: '`policy_version` of the last read' });
/** Of an answer. */
export const CurrentPolicyVersion = z.number().int().meta({
  id: 'PolicyVersion',
  description: 'version of the rights; send it back with a change as `expected_policy_version`',
});
export const ResourceId = z
  .string()
  .min(1)
  .max(LIMITS.resourceIdLength)
  .describe('`installation`, `mailbox:<id>`, `inbound:<id>` or `legacy`');

/** One item as it was last read: stale when its version moved. */
export const EntityRef = z.strictObject({ id: Id, version: Version }).meta({ id: 'EntityRef' });

export const SubjectRef = z
  .strictObject({ kind: z.enum(['principal', 'group']), id: Id, version: Version })
  .meta({ id: 'SubjectRef' });

export const CeilingEntry = z
  .strictObject({ permission: z.string().max(LIMITS.permissionLength), resource_id: ResourceId })
  .meta({ id: 'CeilingEntry' });

/** A text of one line that people give things. */
export const lineOf = (max: number) => z.string().trim().min(1).max(max).regex(VISIBLE_LINE, VISIBLE_RULE);
export const DisplayName = lineOf(LIMITS.displayNameLength).meta({
  id: 'DisplayName',
  description: 'name for people, one line',
});
export const Password = z
  .string()
  .min(1)
  .max(LIMITS.passwordLength.most)
  .meta({ id: 'Password', description: 'present password of the caller' });
/** Six digits of the authenticator app, or a recovery code. */
export const SecondFactorCode = z.string().min(6).max(40);
export const SIGN_IN_REFUSALS = [
  'invalid_request',
  'origin_missing',
  'origin_refused',
  'insecure_sign_in',
  'rate_limited',
] as const;
export const Description = z.string().trim().max(LIMITS.noteLength).regex(VISIBLE_TEXT, VISIBLE_RULE);
export const LoginName = z
  .string()
  .min(1)
  .max(LIMITS.loginLength)
  .regex(/^[\w.@+-]+$/, 'can have only letters, digits and . _ @ + -');

/** Versions that a change of one existing item requires. */
export const itemVersions = { version: Version, expected_policy_version: PolicyVersion };
/** Body of a change that needs only these. */
export const ItemVersionsIn = z.strictObject(itemVersions).meta({ id: 'ItemVersionsIn' });
export const newItemVersions = { expected_policy_version: PolicyVersion };

export const PrincipalName = z
  .strictObject({ id: Id, kind: z.enum(PRINCIPAL_KINDS), display_name: z.string(), enabled: z.boolean() })
  .meta({ id: 'PrincipalName' });
export const NamedRef = z.strictObject({ id: Id, name: z.string() }).meta({ id: 'NamedRef' });

export const AccessResource = z
  .strictObject({
    id: ResourceId,
    kind: z.enum(['installation', 'mailbox', 'inbound', 'legacy']),
    name: z.string(),
  })
  .meta({ id: 'AccessResource' });

export const stamps = { version: Version, created_at: Time, updated_at: Time };

export const pageQuery = { limit: ListLimit, cursor: Cursor.optional() };

/** A page with the policy version that changes of what stands on it send back. */
export const policyPageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    items: z.array(item),
    next_cursor: NextCursor,
    policy_version: CurrentPolicyVersion,
  });
