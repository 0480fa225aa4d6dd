import { access } from '../../../api/access.ts';
import { useAccessRows } from './access-rows.ts';

/** Every role. */
export const useRoles = (isOn = true) =>
  useAccessRows({
    key: ['roles'],
    isOn,
    isShort: true,
    read: (query, signal) => access.roles.listRoles({ query, signal }),
  });

/** Every group. */
export const useGroups = (isOn = true) =>
  useAccessRows({
    key: ['groups', 'all'],
    isOn,
    isShort: true,
    read: (query, signal) => access.groups.listGroups({ query, signal }),
  });

export type Role = ReturnType<typeof useRoles>['items'][number];
export type Group = ReturnType<typeof useGroups>['items'][number];
