import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { ALL_PERMISSIONS } from '../permissions.ts';
import {
  CeilingEntry,
  CurrentPolicyVersion,
  Description,
  DisplayName,
  EntityRef,
  ItemVersionsIn,
  itemVersions,
  newItemVersions,
  PrincipalName,
  pageQuery,
  policyPageOf,
} from './access-values.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Id, OptionalTime, Version } from './values.ts';

const room = 'access';
const badBody = 'sentence';

/** `review`: from an earlier release with every permission; unusable until approved. */
export const KEY_STATES = ['active', 'review', 'expired', 'revoked'] as const;

export const AccessKey = z
  .strictObject({
    key_id: Id,
    principal: PrincipalName,
    name: z.string().nullable(),
    note: z.string().nullable(),
    owner: z.string().nullable(),
    made_by: z
      .strictObject({ id: Id.nullable(), display_name: z.string() })
      .describe('person who last saw its secret, or took the key over'),
    maker_left_at: OptionalTime.describe('time when that person was disabled; these keys are listed first'),
    stops_at: OptionalTime.describe('seven days after maker_left_at, unless someone takes the key over'),
    ceiling: z
      .array(CeilingEntry)
      .describe('maximum permissions of the key; it never has more than its principal'),
    state: z.enum(KEY_STATES),
    test: z.boolean().describe('true for a test key: its faxes are tests, which are handed to nobody'),
    version: Version,
    created_at: OptionalTime,
    expires_at: OptionalTime,
    last_used_at: OptionalTime.describe('accurate to the minute'),
    revoked_at: OptionalTime,
  })
  .meta({ id: 'AccessKey' });

/** Choice for a new key; it never changes afterwards. */
const NewTestKey = z
  .boolean()
  .describe(
    'true creates a test key. It can have only permissions for faxes, sees only test faxes, and nothing it sends is handed to anyone; this cannot be changed later',
  );

const Ceiling = z.array(CeilingEntry).max(ALL_PERMISSIONS.length * LIMITS.ceilingResources);
const Note = Description.nullable().optional();
const Name = DisplayName.nullable().optional();
const Ends = AnyTime.nullable().optional();
const KeyParams = z.strictObject({ key_id: Id });
const KeyChanged = z.strictObject({ key: AccessKey, policy_version: CurrentPolicyVersion });
const Token = z
  .string()
  .describe('`key_live_<keyId>_<secret>`, shown once; it begins with `key_test_` for a test key');
const KeyWithToken = KeyChanged.extend({ token: Token });

/** API keys of people and integrations. */
export const accessKeyRoutes = {
  listAccessKeys: defineRoute({
    id: 'listAccessKeys',
    room,
    method: 'GET',
    path: '/access/keys',
    summary: 'List API keys without secrets: first those whose maker was disabled, then newest first',
    access: 'keys:manage',
    query: z.strictObject({
      principal_id: Id.optional(),
      state: z.enum(KEY_STATES).optional(),
      ...pageQuery,
    }),
    answer: { status: 200, schema: policyPageOf(AccessKey) },
  }),
  createAccessKey: defineRoute({
    id: 'createAccessKey',
    room,
    method: 'POST',
    path: '/access/keys',
    summary: 'Create an API key for a person or integration',
    description: 'You can give a key only permissions that you have there yourself.',
    access: 'keys:manage',
    audited: { operation: 'key.create', target: 'api_key' },
    badBody,
    body: z.strictObject({
      principal: EntityRef,
      name: Name,
      note: Note,
      expires_at: Ends,
      ceiling: Ceiling,
      test: NewTestKey.optional(),
      ...newItemVersions,
    }),
    answer: { status: 200, schema: KeyWithToken },
    refusals: [
      'no_such_person',
      'key_owner_disabled',
      'no_such_permission',
      'no_such_key_resource',
      'no_mailbox_resource',
      'permission_repeated',
      'test_key_permission',
      'expiry_past',
      'key_exceeds_maker',
      'stale',
    ],
  }),
  changeAccessKey: defineRoute({
    id: 'changeAccessKey',
    room,
    method: 'PATCH',
    path: '/access/keys/:key_id',
    summary: 'Rename a key, or change its expiry or maximum permissions',
    access: 'keys:manage',
    audited: { operation: 'key.change', target: 'api_key', param: 'key_id' },
    badBody,
    params: KeyParams,
    body: z.strictObject({
      name: Name,
      note: Note,
      expires_at: Ends,
      take_over: z
        .literal(true)
        .optional()
        .describe('true makes the caller responsible for the key, in place of the person who created it'),
      ceiling: Ceiling.optional(),
      ...itemVersions,
    }),
    answer: { status: 200, schema: KeyChanged },
    refusals: [
      'no_such_key',
      'key_revoked_already',
      'key_awaits_approval',
      'no_such_permission',
      'no_such_key_resource',
      'no_mailbox_resource',
      'permission_repeated',
      'test_key_permission',
      'expiry_past',
      'key_exceeds_maker',
      'key_holds_more',
      'stale',
    ],
  }),
  rotateAccessKey: defineRoute({
    id: 'rotateAccessKey',
    room,
    method: 'POST',
    path: '/access/keys/:key_id/rotate',
    summary: 'Give a key a new secret; the old one stops working at once',
    access: 'keys:manage',
    audited: { operation: 'key.rotate', target: 'api_key', param: 'key_id' },
    badBody,
    params: KeyParams,
    body: ItemVersionsIn,
    answer: { status: 200, schema: KeyWithToken },
    refusals: ['no_such_key', 'key_not_active', 'key_owner_disabled', 'key_exceeds_maker', 'stale'],
  }),
  replaceAccessKey: defineRoute({
    id: 'replaceAccessKey',
    room,
    method: 'POST',
    path: '/access/keys/:key_id/replace',
    summary: 'Create a second key like this one; the old one expires later',
    description:
      'For systems that cannot change their key at once. The old key expires after a day unless a time is given, and never later than before. The new key keeps the expiry of the old one unless another is given (null for none).',
    access: 'keys:manage',
    audited: { operation: 'key.replace', target: 'api_key', param: 'key_id' },
    badBody,
    params: KeyParams,
    body: z.strictObject({ old_expires_at: AnyTime.optional(), expires_at: Ends, ...itemVersions }),
    answer: { status: 200, schema: KeyWithToken.extend({ replaced: AccessKey }) },
    refusals: [
      'no_such_key',
      'key_not_active',
      'key_owner_disabled',
      'expiry_past',
      'key_exceeds_maker',
      'stale',
    ],
  }),
  revokeAccessKey: defineRoute({
    id: 'revokeAccessKey',
    room,
    method: 'POST',
    path: '/access/keys/:key_id/revoke',
    summary: 'Permanently revoke a key and its sessions',
    access: 'keys:manage',
    audited: { operation: 'key.revoke', target: 'api_key', param: 'key_id' },
    badBody,
    params: KeyParams,
    body: ItemVersionsIn,
    answer: { status: 200, schema: KeyChanged },
    refusals: ['no_such_key', 'key_revoked_already', 'key_holds_more', 'stale'],
  }),
  approveAccessKey: defineRoute({
    id: 'approveAccessKey',
    room,
    method: 'POST',
    path: '/access/keys/:key_id/approve',
    summary: 'Approve a key from an earlier release, with an owner and maximum permissions',
    access: 'keys:manage',
    audited: { operation: 'key.approve', target: 'api_key', param: 'key_id' },
    badBody,
    params: KeyParams,
    body: z.strictObject({ principal: EntityRef, ceiling: Ceiling, ...itemVersions }),
    answer: { status: 200, schema: KeyChanged },
    refusals: [
      'no_such_key',
      'key_not_waiting',
      'key_owner_disabled',
      'no_such_person',
      'no_such_permission',
      'no_such_key_resource',
      'no_mailbox_resource',
      'permission_repeated',
      'test_key_permission',
      'key_exceeds_maker',
      'stale',
    ],
  }),
} as const;
