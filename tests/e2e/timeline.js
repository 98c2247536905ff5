// The browser's own timeline: what the page's thread did, and when it was painted.
import assert from "node:assert/strict";

const CATEGORIES = ["devtools.timeline", "blink.user_timing"];
const PAINTS = ["Commit", "Paint"];

/** Why a story that reads it is told in Chromium alone. */
export const TIMELINE = "the timeline is read through Chromium's own protocol";

/** Whether an event of the timeline is the dispatch of one of this type. */
export const isDispatch = (type) => ({ name, args }) => name === "EventDispatch" && args.data?.type === type;

/** Whether an event of the timeline is the page's own mark of this name. */
export const isMark = (mark) => ({ name, cat }) => name === mark && cat.includes("blink.user_timing");

/** What the timeline has of tasks, for `tasksOf`. */
export const TASKS = "disabled-by-default-devtools.timeline";

/** What it has of frames that the screen waited for in vain, for `droppedOf`. */
export const FRAMES = "disabled-by-default-devtools.timeline.frame";
const DROPPED = "DroppedFrame";

/**
 * Does `act` and gives what the thread did meanwhile in which something `isStart`: by time, in microseconds. `more` are categories
 * beside the usual ones.
 */
export async function timelineOf(scene, isStart, act, more = []) {
  const events = await processOf(scene, isStart, act, more);
  const main = events.find(isStart);
  const isMine = ({ name, tid }) => tid === main.tid || name === DROPPED;
  return events.filter(isMine);
}

/** The same of all threads of the page's process, its workers among them. */
export async function processOf(scene, isStart, act, more = []) {
  const session = await scene.context.newCDPSession(scene.page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { traceConfig: { includedCategories: [...CATEGORIES, ...more] } });
  await act();
  const done = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await done;
  await session.detach();
  const main = events.find(isStart);
  assert.ok(main, "nothing in the timeline to begin with");
  return events.filter(({ pid }) => pid === main.pid).sort((a, b) => a.ts - b.ts);
}

/** Of a process with `TASKS`: for how many milliseconds a processor worked on each thread's tasks between two events; of a task that goes on beyond the second, on its part between. `until` is the moment when that task ends, or 0. */
export function threadsBetween(events, start, end) {
  const tasks = events.filter(({ name, dur }) => name === "RunTask" && dur);
  const of = (tid) => {
    const own = tasks.filter((task) => task.tid === tid);
    const under = own.find(({ ts, dur }) => ts <= end.ts && ts + dur > end.ts);
    return { tid, cpu: busy(own, start.ts, end.ts).cpu, until: under ? under.ts + under.dur : 0 };
  };
  return [...new Set(tasks.map(({ tid }) => tid))].map(of).filter(({ cpu }) => cpu > 0);
}

/**
 * Of each event that `isStart`: `painted`, the milliseconds until the end of the first paint after the next that `isDone`, and `worked`, in how many of
 * them the thread did something rather than wait for the screen's next frame, and `cpu`, for how many a processor worked on it:
 * on a machine that does much else these are fewer.
 */
export function paintsAfter(timeline, isStart, isDone = isStart) {
  const starts = timeline.filter(isStart);
  const tasks = timeline.filter(({ dur }) => dur);
  return starts.map(({ ts }, index) => {
    const until = starts[index + 1]?.ts ?? Infinity;
    const done = timeline.find((event) => event.ts >= ts && isDone(event));
    const mine = timeline.filter((event) => PAINTS.includes(event.name) && event.ts >= done?.ts && event.ts < until);
    const paint = mine.find(({ name }) => name === PAINTS[0]) ?? mine[0];
    const end = paint && paint.ts + (paint.dur ?? 0);
    return paint && { painted: (end - ts) / 1_000, ...busy(tasks, ts, end) };
  }).filter(Boolean);
}

/** The tasks of a timeline with `TASKS` that begin from `start` on: for how many milliseconds, and how many of those a processor worked. */
export function tasksOf(timeline, start) {
  const tasks = timeline.filter(({ name, ts, dur }) => name === "RunTask" && dur && ts >= start);
  return tasks.map(({ dur, tdur = dur }) => ({ worked: dur / 1_000, cpu: tdur / 1_000 }));
}

/** How many frames of a timeline with `FRAMES` were dropped from `start` on. */
export function droppedOf(timeline, start) {
  return timeline.filter(({ name, ts }) => name === DROPPED && ts >= start).length;
}

/** Milliseconds between `start` and `end` in which something was done, and the processor's time of them. */
function busy(tasks, start, end) {
  let [until, worked, cpu] = [start, 0, 0];
  for (const { ts, dur, tdur = dur } of tasks) {
    const [from, to] = [Math.max(ts, until), Math.min(ts + dur, end)];
    if (to <= from) continue;
    worked += to - from;
    cpu += (to - from) * Math.min(1, tdur / dur);
    until = to;
  }
  return { worked: worked / 1_000, cpu: cpu / 1_000 };
}
