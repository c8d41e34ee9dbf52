/** What of a scenario only our own workers can do, so that it cannot be asked of somebody else's service. */
import { stagesOf, type Arm, type RequestPlan, type Scenario } from '#trials/scenario.ts';

/** Why the scenario's first arm cannot be run on a service; null: it can. */
export function unsupported(scenario: Scenario): string | null {
  const [arm] = scenario.arms;
  const reasons = [
    ...armReasons(arm),
    ...stagesOf(scenario, arm).flatMap(({ requests }) => requests.flatMap(requestReasons)),
  ];
  return reasons[0] ?? null;
}

function armReasons({ guard, services, nodesObeySignal, queue }: Arm): readonly string[] {
  return [
    ...(guard === 'none' ? [] : [`it needs the mitigation ${guard} in the worker`]),
    ...(services.length === 0 ? [] : [`it needs ${services.join(', ')} beside the workers`]),
    ...(nodesObeySignal === undefined ? [] : ['it needs nodes that obey their signal']),
    ...(queue === undefined ? [] : ['it needs a queue']),
  ];
}

function requestReasons(plan: RequestPlan): readonly string[] {
  const needs: readonly (readonly [unknown, string])[] = [
    [plan.resume, 'answers an interrupt'],
    [plan.from, 'names a checkpoint'],
    [plan.leavesAt, 'leaves at a moment that a service tells'],
    [plan.pausesWorker, 'stops a worker'],
    [plan.isOnNeighbour, 'goes to a second thread'],
    [plan.faults, 'makes a service fail'],
    [plan.rejoins, 'comes back to a run'],
    [plan.timeoutMs, 'has a timeout of its own'],
  ];
  return needs.flatMap(([what, does]) => (what === undefined ? [] : [`request ${plan.name} ${does}`]));
}
