import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { AccessPart } from './part-names.ts';

export type Show = (id: string | undefined, replace?: boolean) => void;

/** Opens an item beside the list of a part, or none; filters stay. */
export function useShow(part: AccessPart): Show {
  const navigate = useNavigate();
  return useCallback(
    (id, replace = false) =>
      void navigate({ to: '/access/{-$part}/{-$id}', params: { part, id }, search: true, replace }),
    [navigate, part],
  );
}
