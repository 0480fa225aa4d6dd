import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ShowRow } from '../../parts/lists/list-cursor.ts';
import type { AccessPart } from './part-names.ts';

/** Opens an item beside the list of a part, or none; filters stay. */
export function useOpenDetails(part: AccessPart): ShowRow {
  const navigate = useNavigate();
  return useCallback(
    (id, replace = false) =>
      void navigate({ to: '/access/{-$part}/{-$id}', params: { part, id }, search: true, replace }),
    [navigate, part],
  );
}
