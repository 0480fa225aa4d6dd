import type { ReactNode } from 'react';
import { ListPanes } from '../../../parts/lists/list-panes.tsx';
import { Pane, PaneHead } from '../../../ui/pane.tsx';

/** A part of Access: its list below the title with the actions, and beside it what is open. */
export function PartPanes(props: {
  title: string;
  count?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  details: ReactNode;
}) {
  const { title, count, actions, children, details } = props;
  const list = (
    <Pane label={title}>
      <PaneHead title={title} count={count}>
        {actions}
      </PaneHead>
      {children}
    </Pane>
  );
  return <ListPanes isBesideNames list={list} details={details} />;
}
