"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { rows, columns, values, why, files } = data.source;
  const runs = data.runs;
  const by = id => document.getElementById(id);
  const box = by("lines"), table = by("table"), head = table.tHead, body = table.tBodies[0];
  const ROW = 27, ALL = 600, AROUND = 30;
  const state = { run: 0, other: null, heat: columns.findIndex(c => c.id === by("heat").value), sort: null, down: true, find: "", chosen: null };
  let order = [];

  const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
  const show = (column, value) => {
    if (value === null || value === undefined) return "";
    if (column.form === "part") return (100 * value).toFixed(1) + " %";
    if (column.form === "ratio") return value.toFixed(1);
    return grouped.format(value).replaceAll(",", "\u202f");
  };
  const cell = (parent, tag, text, name) => {
    const element = document.createElement(tag);
    element.textContent = text;
    if (name) element.className = name;
    parent.append(element);
    return element;
  };

  // Of several files, those behind the first are named.
  const nameOf = row => {
    const [file, number] = rows[row];
    return (file ? files[file].split("/").at(-1) + ":" : "") + number;
  };

  const heading = (row, key, text, help, left) => {
    const th = cell(row, "th", "", left ? "text" : "");
    th.scope = "col";
    const sorted = state.sort === key;
    th.setAttribute("aria-sort", sorted ? (state.down ? "descending" : "ascending") : "none");
    const button = cell(th, "button", text + (sorted ? (state.down ? " ▼" : " ▲") : ""));
    button.type = "button";
    button.title = help;
    button.addEventListener("click", () => {
      if (state.sort === key) state.down = !state.down;
      else { state.sort = key; state.down = key !== "line" && key !== "text"; }
      update();
      [...head.querySelectorAll("button")].find(b => b.textContent.startsWith(text))?.focus();
    });
  };

  const value = (run, column, row) => values[run]?.[column]?.[row] ?? null;
  const difference = (column, row) => {
    const a = value(state.run, column, row), b = value(state.other, column, row);
    return a === null || b === null ? null : a - b;
  };
  const keyOf = row => {
    const key = state.sort;
    if (key === "line" || key === null) return row;
    if (key === "text") return rows[row][2];
    if (key[0] === "d") return difference(+key.slice(1), row);
    return value(state.run, +key.slice(1), row);
  };

  const heads = () => {
    head.replaceChildren();
    const row = head.insertRow();
    heading(row, "line", "line", "number of the line", false);
    heading(row, "text", "source", "text of the line", true);
    columns.forEach((column, c) => {
      heading(row, "v" + c, column.name, column.help, false);
      if (state.other !== null) heading(row, "d" + c, "Δ " + column.name, "difference to " + runs[state.other], false);
    });
    if (why.length) cell(row, "th", "waits for", "text").scope = "col";
  };

  const select = () => {
    const wanted = state.find.toLowerCase();
    order = [];
    for (let row = 0; row < rows.length; row++) {
      if (!wanted || rows[row][2].toLowerCase().includes(wanted)) order.push(row);
    }
    if (state.sort !== null && state.sort !== "line") {
      const keys = new Map(order.map(row => [row, keyOf(row)]));
      const sign = state.down ? -1 : 1;
      order.sort((a, b) => {
        const x = keys.get(a), y = keys.get(b);
        if (x === null || y === null) return (x === null) - (y === null) || a - b;
        return sign * (x < y ? -1 : x > y ? 1 : 0) || a - b;
      });
    } else if (state.sort === "line" && state.down) {
      order.reverse();
    }
    table.setAttribute("aria-rowcount", order.length + 1);
  };

  const most = () => {
    const list = values[state.run]?.[state.heat] ?? [];
    let high = 0;
    for (const v of list) if (v > high) high = v;
    return high;
  };
  let high = 0;

  const line = (row, place) => {
    const tr = document.createElement("tr");
    tr.setAttribute("aria-rowindex", place + 2);
    const [file, number, text] = rows[row];
    if (nameOf(row) === state.chosen) tr.className = "chosen";
    const of = cell(tr, "td", number ? nameOf(row) : "–");
    of.title = files[file];
    if (number) of.id = "line-" + nameOf(row);
    const code = cell(tr, "td", text, "code text");
    code.title = files[file] + ":" + number + "  " + text;
    columns.forEach((column, c) => {
      const v = value(state.run, c, row);
      const td = cell(tr, "td", show(column, v));
      if (c === state.heat && v > 0 && high > 0) {
        const part = column.hot ? v / high : 1 - v / high;
        td.style.background = "rgba(var(--hot)," + (0.75 * Math.max(0, part)).toFixed(3) + ")";
        code.style.boxShadow = "inset 4px 0 rgba(var(--hot)," + Math.max(0, part).toFixed(3) + ")";
      }
      if (state.other !== null) {
        const d = difference(c, row);
        const same = d === null || Math.abs(d) < 1e-9;
        const mark = cell(tr, "td", d === null ? (v === null && value(state.other, c, row) === null ? "" : "only one") : same ? "=" : (d > 0 ? "+" : "−") + show(column, Math.abs(d)));
        mark.className = same ? "soft" : (d > 0) === column.hot ? "down" : "up";
      }
    });
    if (why.length) cell(tr, "td", why[state.run]?.[row] ?? "", "text why");
    return tr;
  };

  let shown = [0, 0];
  const gap = height => {
    const tr = document.createElement("tr");
    tr.setAttribute("aria-hidden", "true");
    const td = cell(tr, "td", "", "gap");
    td.colSpan = 2 + columns.length * (state.other === null ? 1 : 2) + (why.length ? 1 : 0);
    td.style.height = height + "px";
    return tr;
  };
  // Of a long source, only what can be seen is in the document.
  const draw = () => {
    let from = 0, to = order.length;
    if (order.length > ALL) {
      const first = Math.floor(box.scrollTop / ROW), count = Math.ceil(box.clientHeight / ROW);
      from = Math.max(0, first - AROUND);
      to = Math.min(order.length, first + count + AROUND);
    }
    shown = [from, to];
    const parts = [];
    if (from > 0) parts.push(gap(from * ROW));
    for (let place = from; place < to; place++) parts.push(line(order[place], place));
    if (to < order.length) parts.push(gap((order.length - to) * ROW));
    body.replaceChildren(...parts);
  };
  const update = () => {
    heads();
    select();
    high = most();
    box.scrollTop = 0;
    draw();
    by("status").textContent = order.length + (order.length === 1 ? " line" : " lines") + (state.find ? " with “" + state.find + "”" : "") + ".";
  };

  box.addEventListener("scroll", () => {
    if (order.length <= ALL) return;
    const first = Math.floor(box.scrollTop / ROW), last = first + Math.ceil(box.clientHeight / ROW);
    if (first < shown[0] + 5 && shown[0] > 0 || last > shown[1] - 5 && shown[1] < order.length) draw();
  }, { passive: true });
  by("run").addEventListener("change", event => { state.run = +event.target.value; update(); });
  by("other")?.addEventListener("change", event => { state.other = event.target.value === "" ? null : +event.target.value; update(); });
  by("heat").addEventListener("change", event => { state.heat = columns.findIndex(c => c.id === event.target.value); update(); });
  by("find").addEventListener("input", event => { state.find = event.target.value; update(); });

  const follow = () => {
    const wanted = /^#line-(.+)$/.exec(location.hash);
    if (!wanted) return;
    state.chosen = decodeURIComponent(wanted[1]);
    state.find = by("find").value = "";
    update();
    const place = order.findIndex(row => nameOf(row) === state.chosen);
    if (place < 0) return;
    box.scrollTop = Math.max(0, place * ROW - box.clientHeight / 2);
    draw();
    box.scrollIntoView({ block: "nearest" });
  };
  addEventListener("hashchange", follow);
  addEventListener("beforeprint", () => { if (order.length > ALL) { order = order.slice(0, ALL); draw(); } });
  addEventListener("afterprint", update);
  update();
  follow();
})();
