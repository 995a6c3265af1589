"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  if (!data.sides.length) return;
  const by = id => document.getElementById(id);
  const make = (parent, tag, name, text) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };
  const big = text => BigInt("0x" + text);
  const has = (mask, lane) => (mask >> BigInt(lane) & 1n) === 1n;
  const list = (mask, width) => {
    // Runs of lanes: 0-3, 7.
    const parts = [];
    for (let lane = 0; lane < width; lane++) {
      if (!has(mask, lane)) continue;
      let end = lane;
      while (end + 1 < width && has(mask, end + 1)) end++;
      parts.push(end > lane ? lane + "–" + end : String(lane));
      lane = end;
    }
    return parts.length ? parts.join(", ") : "none";
  };
  const digits = (mask, width) => Array.from({ length: width }, (_, lane) => has(mask, lane) ? "1" : "0").join("");
  const one = mask => mask.toString(2).replaceAll("0", "").length === 1;
  const plural = mask => one(mask) ? "lane " : "lanes ";

  for (const side of data.sides) {
    side.lanes = side.lanes.map(parts => parts.map(([warp, mask]) => [warp, big(mask)]));
    side.rowOf = new Map(side.code.map(([pc], row) => [pc, row]));
    side.kinds = new Map(side.code.map(([pc, , kind]) => [pc, kind]));
  }

  // A view is a side's steps of one track, or of all.
  const view = (side, track) => {
    const steps = [], starts = [];
    let count = 0;
    side.steps.forEach(step => {
      if (track !== null && step[0] !== track) return;
      steps.push(step);
      starts.push(count);
      count += step[2];
    });
    const divergences = [], meetings = [], barriers = [];
    const before = new Map();
    steps.forEach((step, s) => {
      const [of, at, length, lanes, taken] = step;
      const end = starts[s] + length - 1;
      const all = side.lanes[lanes].reduce((sum, [, mask]) => sum | mask, 0n);
      if (taken !== null) {
        const went = big(taken);
        if (went !== 0n && went !== all) divergences.push(end);
      }
      for (const [warp, mask] of side.lanes[lanes]) {
        const key = side.tracks[of].block + "." + warp, last = before.get(key);
        if (last !== undefined && mask !== last && (mask & last) === last) {
          if (meetings.at(-1) !== starts[s]) meetings.push(starts[s]);
        }
        before.set(key, mask);
      }
      for (let i = 0; i < length; i++) if (side.kinds.get(at + i) === "barrier") barriers.push(starts[s] + i);
    });
    return { steps, starts, count, divergences, meetings, barriers };
  };

  const find = (starts, issue) => {
    let low = 0, high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle] <= issue) low = middle; else high = middle - 1;
    }
    return low;
  };

  const panels = [];
  let now = 0;
  const ROW = 22;

  class Panel {
    constructor(number) {
      this.root = make(by("sides"), "section", "side");
      this.heading = make(this.root, "h2");
      const choice = make(this.root, "div", "choice");
      this.pick = this.select(choice, "Run", data.sides.map((side, n) => [n, side.name]), number, () => this.take());
      this.track = this.select(choice, "Warp", [], 0, () => { this.retake(); render(); });
      this.listing = make(this.root, "div", "listing code");
      this.listing.tabIndex = 0;
      this.listing.setAttribute("role", "group");
      this.rows = make(this.listing, "div");
      this.state = make(this.root, "div");
      this.listing.addEventListener("scroll", () => this.draw(), { passive: true });
      this.take(true);
    }
    select(parent, name, options, value, changed) {
      const label = make(parent, "label", "", name + " ");
      const select = make(label, "select");
      for (const [key, text] of options) make(select, "option", "", text).value = key;
      select.value = value;
      select.addEventListener("change", changed);
      return select;
    }
    take(first) {
      this.side = data.sides[+this.pick.value];
      this.listing.setAttribute("aria-label", "Code under " + this.side.name);
      this.track.replaceChildren();
      const tracks = this.side.tracks;
      if (tracks.length > 1) make(this.track, "option", "", "all " + tracks.length + ", in order").value = "";
      tracks.forEach((track, n) => {
        const name = track.warp === null ? "block " + track.block : "warp " + track.warp + " of block " + track.block;
        make(this.track, "option", "", name).value = n;
      });
      // What has failed is shown first.
      const failed = this.side.failed;
      this.track.value = failed ? String(failed[0]) : tracks.length > 1 && tracks.every(t => t.block === tracks[0].block) && tracks.length < 5 ? "" : "0";
      this.track.parentElement.hidden = tracks.length < 2;
      this.retake();
      if (!first) render();
    }
    retake() {
      this.view = view(this.side, this.track.value === "" ? null : +this.track.value);
      this.row = -1;
    }
    // The issue at which the launch failed, if it is of these steps; that behind all if it was at none.
    failing() {
      const { failed } = this.side;
      if (!failed || (this.track.value !== "" && +this.track.value !== failed[0])) return null;
      const place = failed[1] === null ? -1 : this.view.steps.indexOf(this.side.steps[failed[1]]);
      return place < 0 ? this.view.count : this.view.starts[place] + this.view.steps[place][2] - 1;
    }
    // Where it is at the current step: the step, its instruction, and the state.
    at(issue = now) {
      const { steps, starts, count } = this.view;
      const side = this.side;
      if (!steps.length) return null;
      if (issue >= count) {
        const track = side.tracks[steps.at(-1)[0]];
        return { over: true, state: track.last === null ? null : side.states[track.last], parts: [], track };
      }
      const s = find(starts, issue), step = steps[s];
      const [of, at, length, lanes, taken, state, cycle] = step;
      return {
        over: false, start: at, pc: at + issue - starts[s], parts: side.lanes[lanes], track: side.tracks[of],
        taken: taken !== null && issue === starts[s] + length - 1 ? big(taken) : null,
        state: side.states[state], cycle,
      };
    }
    draw() {
      const code = this.side.code;
      const first = Math.max(0, Math.floor(this.listing.scrollTop / ROW) - 20);
      const last = Math.min(code.length, first + Math.ceil(this.listing.clientHeight / ROW) + 40);
      this.rows.replaceChildren();
      this.rows.style.paddingTop = first * ROW + "px";
      this.rows.style.height = code.length * ROW + "px";
      for (let row = first; row < last; row++) {
        const [pc, text, kind, number, source] = code[row];
        const line = make(this.rows, "div", "row");
        if (row === this.row) {
          line.classList.add("now");
          if (this.fails) line.classList.add("failed");
          line.setAttribute("aria-current", "step");
        }
        if (this.others?.has(pc)) line.classList.add("waits");
        make(line, "span", "pc", "@" + pc);
        make(line, "span", "", text + (row > 0 && code[row - 1][0] !== pc - 1 ? "  ⋮" : ""));
        const same = row > 0 && code[row - 1][3] === number;
        if (!same && source && source.replace(/\s+/g, " ") !== text) {
          const of = make(line, "span", "of", number + " | " + source);
          of.title = source;
        }
      }
    }
    show() {
      const where = this.at(), { side, state } = this;
      state.replaceChildren();
      this.heading.textContent = side.name;
      if (!where) { make(state, "p", "note", "No issue was recorded."); return; }
      const width = side.width;
      this.row = where.over ? -1 : side.rowOf.get(where.pc) ?? -1;
      this.fails = now === this.failing();
      const on = new Map(where.parts);
      // The state is that of the step's first instruction.
      this.others = new Set((where.state?.splits ?? []).filter(([, warp, mask]) => big(mask) & ~(on.get(warp) ?? 0n)).map(([pc]) => pc));
      if (this.row >= 0) {
        const top = this.row * ROW, height = this.listing.clientHeight;
        if (top < this.listing.scrollTop + ROW || top > this.listing.scrollTop + height - 3 * ROW) this.listing.scrollTop = top - height / 3;
      }
      this.draw();
      const failing = this.failing(), fails = failing !== null && now >= failing;
      const name = where.track.warp === null ? "block " + where.track.block : "block " + where.track.block + ", warp " + where.track.warp;
      const title = fails ? side.failed[1] === null && side.left_out
        ? "The launch has failed later, in " + name + ": " + side.left_out + " issues are not on this page."
        : "The launch has failed here, in " + name + "."
        : where.over ? side.error ? "This had been issued when the launch failed elsewhere." : side.left_out ? "The other issues are not on this page: " + side.left_out + "." : "All has been issued."
          : name + (where.cycle === null || where.cycle === undefined ? "" : ", cycle " + where.cycle);
      make(state, "h3", "", title);
      const live = new Map();
      for (const [, warp, mask] of where.state?.splits ?? []) live.set(warp, (live.get(warp) ?? 0n) | big(mask));
      for (const [warp, mask] of where.parts) live.set(warp, (live.get(warp) ?? 0n) | mask);
      for (const [warp, mask] of where.state?.arrived ?? []) live.set(warp, (live.get(warp) ?? 0n) | big(mask));
      const warps = [...live.keys()].sort((a, b) => a - b);
      for (const warp of warps) {
        const row = make(state, "div", "warp");
        make(row, "span", "name", "warp " + warp);
        const cells = make(row, "div", "cells");
        const mask = on.get(warp) ?? 0n;
        cells.setAttribute("role", "img");
        cells.setAttribute("aria-label", "warp " + warp + ": active are " + plural(mask) + list(mask, width));
        for (let lane = 0; lane < width; lane++) {
          const cell = make(cells, "span", "cell", lane);
          if (has(mask, lane)) cell.classList.add("on");
          else if (!has(live.get(warp), lane)) cell.classList.add("gone");
          if (where.taken !== null && where.taken !== undefined && where.parts.length === 1 && has(mask, lane) && has(where.taken, lane)) cell.classList.add("taken");
        }
      }
      if (where.taken !== null && where.taken !== undefined) {
        const all = where.parts.reduce((sum, [, mask]) => sum | mask, 0n);
        const went = where.taken, rest = all & ~went;
        make(state, "p", "", went === 0n ? "No lane takes the branch." : rest === 0n ? "All lanes take the branch." :
          "The lanes part: " + plural(went) + list(went, width) + (one(went) ? " takes" : " take") + " the branch, " + plural(rest) + list(rest, width) + " not.");
      }
      if (fails && side.error) make(state, "pre", "error", side.error);
      this.waiting(where, on);
      this.held(where, on);
    }
    // What each lane waits for that is not on.
    waiting(where, on) {
      const s = where.state;
      if (!s) return;
      const width = this.side.width, lines = [];
      const say = (warp, mask, text) => { if (mask !== 0n) lines.push([warp, mask, text]); };
      for (const [pc, warp, text] of s.splits) {
        let mask = big(text) & ~(on.get(warp) ?? 0n);
        for (const [w, arrived] of s.arrived) {
          if (w !== warp) continue;
          const there = mask & big(arrived);
          say(warp, there, "at a barrier or collective, for others, to go on at @" + pc);
          mask &= ~there;
        }
        for (const part of s.held) {
          const there = part.waiting === undefined ? 0n : mask & big(part.waiting);
          if (there === 0n) continue;
          const missing = big(part.lanes) & ~big(part.waiting);
          say(warp, there, "at " + (part.register === undefined ? "the barrier" : "barrier B" + part.register) + (missing ? " for " + plural(missing) + list(missing, width) : "") + (part.meet === undefined ? "" : ", to go on at @" + part.meet));
          mask &= ~there;
        }
        for (const part of s.held) {
          if (part.of !== "disabled") continue;
          const there = mask & big(part.lanes);
          const why = { b: "after break", c: "after continue", r: "after return" }[part.kind];
          if (why) say(warp, there, why + (part.next === undefined ? "" : ", for the token of @" + part.next));
          if (why) mask &= ~there;
        }
        const above = s.held.filter(part => part.next === pc && (big(part.lanes) & mask) !== 0n);
        const meet = above.find(part => part.meet !== undefined)?.meet;
        const token = above.find(part => part.of === "tokens");
        if (token) { say(warp, mask, "the " + token.kind + " token, to go on at @" + pc); continue; }
        say(warp, mask, (one(mask) ? "its" : "their") + " turn, to go on at @" + pc + (meet === undefined || meet === pc ? "" : ", until @" + meet));
      }
      if (!lines.length) return;
      make(this.state, "h3", "", where.over ? "What the lanes wait for" : "What the other lanes wait for");
      const ul = make(this.state, "ul", "waits-for");
      const several = new Set(lines.map(([warp]) => warp)).size > 1 || where.track.warp === null;
      for (const [warp, mask, text] of lines) make(ul, "li", "", (several ? "warp " + warp + ", " : "") + plural(mask) + list(mask, width) + ": " + text);
    }
    // What the policy holds, as tables: of each its title, its heads, and rows of a key and texts.
    tables(where, on) {
      const s = where.state;
      if (!s) return [];
      const width = this.side.width;
      // Lanes that are on have gone on from where the step began.
      const next = (pc, warp, mask) => "@" + (pc === where.start && !where.over && (on.get(warp) ?? 0n) === big(mask) ? where.pc : pc);
      const names = [...new Set(s.held.map(part => part.of))];
      const tables = names.map(name => {
        const parts = s.held.filter(part => part.of === name);
        const has = key => parts.some(part => part[key] !== undefined && part[key] !== "");
        const columns = [["kind", "kind"], ["register", "register"], ["waiting", "waiting"], ["next", "goes on at"], ["meet", "until"]].filter(([key]) => has(key));
        const rows = parts.map(part => [
          [part.lanes, part.kind, part.register, part.waiting, part.meet].join(),
          [digits(big(part.lanes), width), ...columns.map(([key]) => {
            const value = part[key];
            if (value === undefined) return "";
            return key === "waiting" ? digits(big(value), width) : key === "register" ? "B" + value : key === "kind" ? value : key === "next" ? next(value, where.track.warp, part.lanes) : "@" + value;
          })],
        ]);
        // A stack has its top above.
        const title = { stack: "Stack, the top above", tokens: "Tokens, the top above", WS: "Split stack WS, the top above", REC: "Reconvergence stack REC, the top above", barriers: "Convergence barriers, the newest above" }[name] ?? name[0].toUpperCase() + name.slice(1);
        return [title, ["lanes", ...columns.map(([, head]) => head)], rows.reverse()];
      });
      if (!names.length && s.splits.length) {
        tables.push(["Groups of lanes", ["at", "warp", "lanes"], s.splits.map(([pc, warp, mask]) => [warp + "," + mask, [next(pc, warp, mask), warp, digits(big(mask), width)]])]);
      }
      return tables;
    }
    held(where, on) {
      // A row is marked that was not there one step before.
      const last = now > 0 ? this.at(now - 1) : null;
      const known = last && last.track === where.track && new Set(this.tables(last, on).flatMap(([title, , rows]) => rows.map(([key]) => title + key)));
      for (const [title, heads, rows] of this.tables(where, on)) {
        make(this.state, "h3", "", title);
        const table = make(this.state, "table");
        const head = make(make(table, "thead"), "tr");
        for (const text of heads) make(head, "th", "text", text).scope = "col";
        const body = make(table, "tbody");
        for (const [key, texts] of rows) {
          const tr = make(body, "tr", known && !known.has(title + key) ? "fresh" : "");
          texts.forEach((text, n) => make(tr, "td", "text" + (heads[n] === "lanes" || heads[n] === "waiting" ? " digits" : ""), text));
        }
      }
    }
  }

  const most = () => Math.max(0, ...panels.map(panel => panel.view.count));
  const render = () => {
    const end = most();
    now = Math.max(0, Math.min(now, end));
    by("step").max = end;
    by("step").value = now;
    by("where").textContent = "step " + now + " of " + end;
    by("step").setAttribute("aria-valuetext", "step " + now + " of " + end);
    panels.forEach(panel => panel.show());
  };
  const go = (step, quiet) => {
    now = step;
    render();
    if (!quiet) history.replaceState(null, "", "#step=" + now);
  };
  const seek = (key, back, name) => {
    let found = null;
    for (const { view } of panels) {
      for (const issue of view[key]) {
        const beyond = back ? issue < now : issue > now;
        if (beyond && (found === null || (back ? issue > found : issue < found))) found = issue;
      }
    }
    by("status").textContent = found === null ? "There is no " + (back ? "earlier " : "further ") + name + "." : "";
    if (found !== null) go(found);
  };
  const search = () => {
    const wanted = by("find").value.toLowerCase();
    if (!wanted) return;
    for (let issue = now + 1; issue < most(); issue++) {
      for (const { side, view } of panels) {
        if (issue >= view.count) continue;
        const s = find(view.starts, issue), pc = view.steps[s][1] + issue - view.starts[s];
        const code = side.code[side.rowOf.get(pc)];
        if (code && (code[1] + " " + code[4]).toLowerCase().includes(wanted)) { by("status").textContent = ""; go(issue); return; }
      }
    }
    by("status").textContent = "No further step has “" + wanted + "”.";
  };

  panels.push(new Panel(0));
  if (data.sides.length > 1) panels.push(new Panel(1));
  by("first").addEventListener("click", () => go(0));
  by("back").addEventListener("click", () => go(now - 1));
  by("next").addEventListener("click", () => go(now + 1));
  by("last").addEventListener("click", () => go(most()));
  by("divergence").addEventListener("click", event => seek("divergences", event.shiftKey, "divergence"));
  by("meeting").addEventListener("click", event => seek("meetings", event.shiftKey, "reconvergence"));
  by("barrier").addEventListener("click", event => seek("barriers", event.shiftKey, "barrier"));
  by("step").addEventListener("input", event => go(+event.target.value));
  by("find").addEventListener("keydown", event => { if (event.key === "Enter") search(); });
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const moves = {
      ArrowLeft: () => go(now - 1), ArrowRight: () => go(now + 1), Home: () => go(0), End: () => go(most()),
      d: () => seek("divergences", event.shiftKey, "divergence"), r: () => seek("meetings", event.shiftKey, "reconvergence"), b: () => seek("barriers", event.shiftKey, "barrier"),
    };
    const move = moves[event.key] ?? moves[event.key.toLowerCase()];
    if (move) { event.preventDefault(); move(); }
  });
  const follow = () => {
    const wanted = /^#step=(\d+)$/.exec(location.hash);
    // Two are compared from the start.
    const first = data.sides.length === 1 ? panels[0].failing() ?? now : now;
    go(wanted ? +wanted[1] : first, true);
  };
  addEventListener("hashchange", follow);
  follow();
})();
