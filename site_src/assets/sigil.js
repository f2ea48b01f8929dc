/* Search, filter and sort for the catalogue, with its state in the address. The page is complete without it. */

(() => {
  "use strict";

  openTarget();
  window.addEventListener("hashchange", openTarget);

  const form = document.getElementById("catalogue-filter");
  const table = document.getElementById("catalogue-table");
  if (form && table) start(form, table);

  /* A link to a run leads into its folded part: unfold it. */
  function openTarget() {
    const target = document.getElementById(location.hash.slice(1));
    const fold = target && target.closest("details");
    if (fold) fold.open = true;
  }

  function start(form, table) {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const status = document.getElementById("catalogue-status");
    for (const select of form.querySelectorAll("select[data-many]")) fill(select, rows);
    restore(form);
    form.hidden = false;

    const update = () => {
      const wanted = new FormData(form);
      const order = sorted(rows, wanted.get("sort"));
      let shown = 0;
      for (const row of order) {
        row.hidden = !matches(row, wanted);
        if (!row.hidden) shown += 1;
        body.append(row);
      }
      status.textContent = `${shown} of ${rows.length} ${rows.length === 1 ? "capability" : "capabilities"}`;
      remember(form, wanted);
    };
    form.addEventListener("input", update);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(update));
    update();
  }

  /* The choices of a filter are the values that occur. */
  function fill(select, rows) {
    const found = new Set(rows.flatMap((row) => values(row, select.name)));
    for (const value of Array.from(found).sort()) select.add(new Option(value, value));
  }

  function values(row, name) {
    return (row.dataset[name] || "").split("|").filter(Boolean);
  }

  function matches(row, wanted) {
    for (const [name, value] of wanted) {
      if (name === "sort" || value === "") continue;
      if (name === "q") {
        const text = row.dataset.text;
        if (!value.toLowerCase().split(/\s+/).every((word) => text.includes(word))) return false;
      } else if (!values(row, name).includes(value)) return false;
    }
    return true;
  }

  /* Rows without the number that is sorted by come last. Never sorts by a point estimate. */
  function sorted(rows, key) {
    const by = {
      name: (a, b) => a.dataset.name.localeCompare(b.dataset.name),
      newest: (a, b) => b.dataset.newest.localeCompare(a.dataset.newest) || by.name(a, b),
      lower: (a, b) => number(b) - number(a) || by.name(a, b),
    };
    const number = (row) => (row.dataset.lower === "" ? -2 : Number(row.dataset.lower));
    return rows.slice().sort(by[key] || by.name);
  }

  function restore(form) {
    const query = new URLSearchParams(location.search);
    for (const field of form.elements) {
      if (!field.name) continue;
      const value = query.get(field.name);
      if (value !== null) field.value = value;
      else field.selectedIndex === undefined ? (field.value = "") : (field.selectedIndex = 0);
      if (field.selectedIndex === -1) field.selectedIndex = 0;
    }
  }

  function remember(form, wanted) {
    const query = new URLSearchParams();
    for (const [name, value] of wanted) if (value !== "" && !(name === "sort" && value === "name")) query.set(name, value);
    const text = query.toString();
    history.replaceState(null, "", text ? `?${text}` : location.pathname + location.hash);
  }
})();
